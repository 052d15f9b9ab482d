/**
 * The panel's only way in: `<deskhand-panel data-api="/assistant/api/" data-locale="de" data-page="/admin/…">` and this module are all
 * that a page needs. Loading it defines the element and does nothing else.
 */
import { DeskhandPanel } from "./components/panel";

if (!customElements.get("deskhand-panel")) customElements.define("deskhand-panel", DeskhandPanel);
