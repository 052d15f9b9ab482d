"""Scripts that measure the panel in the page: contrast of text and ground, size of what is pressed."""

from __future__ import annotations

CONTRAST = """() => {
  const parse = (value) => { const m = value.match(/[\\d.]+/g).map(Number); return m.length > 3 ? m : [...m, 1]; };
  const light = ([r, g, b]) => { const f = (c) => { c /= 255; return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
    return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b); };
  const ground = (at) => { while (at) { if (at instanceof Element) { const c = parse(getComputedStyle(at).backgroundColor);
    if (c[3] === 1) return c; } at = at.parentNode ?? at.host; } return [255, 255, 255, 1]; };
  const poor = [];
  const walk = (root) => { for (const at of root.querySelectorAll('*')) {
    if (at.shadowRoot) walk(at.shadowRoot);
    const says = [...at.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    if (!says || at.closest('.unseen') || !at.getClientRects().length || at.disabled) continue;
    const [a, b] = [light(parse(getComputedStyle(at).color)), light(ground(at))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) poor.push(at.tagName + '.' + at.className + ' ' + ratio.toFixed(2));
  } };
  walk(document.querySelector('deskhand-panel').shadowRoot);
  return poor;
}"""

SMALL = """() => {
  const small = [];
  const walk = (root) => { for (const at of root.querySelectorAll('*')) {
    if (at.shadowRoot) walk(at.shadowRoot);
    if (!['BUTTON', 'INPUT', 'SUMMARY', 'TEXTAREA'].includes(at.tagName)) continue;
    const { width, height } = at.getBoundingClientRect();
    if (width && (width < 44 || height < 44)) small.push(at.className + ' ' + width + 'x' + height);
  } };
  walk(document.querySelector('deskhand-panel').shadowRoot);
  return small;
}"""
