"""A browser whose breaches of a page's content policy, script errors and requests are noted, so that a test can say that there was none."""

from __future__ import annotations

from playwright.sync_api import BrowserContext, Dialog, Page

WATCH = """
window.breaches = [];
document.addEventListener('securitypolicyviolation', (event) => {
  window.breaches.push(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample);
});
"""


class Watched:
    """A browser context that notes what must not happen."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        self.context = context
        self.address = address
        self.errors: list[str] = []
        self.hosts: set[str] = set()
        context.add_init_script(WATCH)
        context.on("request", lambda request: self.hosts.add(request.url.split("/")[2] if "//" in request.url else request.url))
        context.on("weberror", lambda error: self.errors.append(str(error.error)))
        context.on("dialog", self._dialog)

    def _dialog(self, dialog: Dialog) -> None:
        self.errors.append("dialog")
        dialog.dismiss()

    def page(self, query: str = "") -> Page:
        page = self.context.new_page()
        page.set_default_timeout(8_000)
        page.goto(f"{self.address}/{query}")
        return page

    def opened(self, query: str = "") -> Page:
        """A page on which the panel is open and ready to be written to."""
        page = self.page(query)
        launcher = page.get_by_role("button", name="Open the assistant")
        if launcher.is_visible():
            launcher.click()
        page.locator("textarea").wait_for()
        page.locator(".provider").wait_for()
        return page

    def expect_clean(self) -> None:
        """No script failed, nothing was blocked by the policy, nothing was asked of another host."""
        breaches = [breach for page in self.context.pages for breach in page.evaluate("window.breaches")]
        assert (breaches, self.errors) == ([], [])
        assert self.hosts == {self.address.split("/")[2]}
