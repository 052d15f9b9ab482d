/**
 * The page that the twin shows: a plain list like an admin's, with the panel, under a policy that forbids everything the panel must not need.
 *
 * Query: `theme=dark|light|auto`, `dir=rtl`, `locale=…`.
 */
import { newToken } from "./answers.mjs";

export const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types lit-html",
].join("; ");

const STYLE = `
  html { color-scheme: light dark; }
  html[data-theme="light"] { color-scheme: light; }
  html[data-theme="dark"] { color-scheme: dark; }
  body { margin: 0; font: 14px/1.5 system-ui, sans-serif; background: Canvas; color: CanvasText; }
  h1 { margin: 0; padding: 12px 24px; background: #417690; color: #fff; font-size: 18px; font-weight: 400; }
  main { padding: 24px; }
  table { border-collapse: collapse; }
  td, th { padding: 8px 24px 8px 0; text-align: start; border-bottom: 1px solid #8885; }
`;

const ORDERS = Array.from(
  { length: 14 },
  (_, row) => `<tr><td>PO-${1204 - row}</td><td>${(row * 37) % 900} pieces</td></tr>`,
).join("");

function safe(value) {
  return (value ?? "").replace(/[^\w-]/g, "");
}

export const page = {
  html(url, response, cookie = "") {
    const theme = safe(url.searchParams.get("theme")) || "auto";
    const direction = url.searchParams.get("dir") === "rtl" ? "rtl" : "ltr";
    const locale = safe(url.searchParams.get("locale")) || "en";
    response.writeHead(200, {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": POLICY,
      ...(/\bsession=/.test(cookie) ? {} : { "Set-Cookie": `session=${newToken()}; Path=/; HttpOnly` }),
    });
    response.end(`<!doctype html>
<html lang="${locale}" dir="${direction}" data-theme="${theme}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Orders</title>
<link rel="stylesheet" href="/static/page.css"></head>
<body><h1>Back office</h1><main><h2>Orders</h2><p><a href="/">All</a> <button type="button">Filter</button></p>
<table><tr><th>Order</th><th>Quantity</th></tr>${ORDERS}</table></main>
<deskhand-panel data-api="/assistant/api/" data-locale="${locale}" data-page="/admin/shop/order/"></deskhand-panel>
<script type="module" src="/static/deskhand/panel.js"></script>
</body></html>`);
  },
  style(response) {
    response.writeHead(200, { "Content-Type": "text/css" });
    response.end(STYLE);
  },
};
