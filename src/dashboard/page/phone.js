// The dialog with a QR code that logs a phone in.

import { Failed, send } from "./api.js";
import { showDialog } from "./dialog.js";
import { h, s } from "./dom.js";
import { clock } from "./format.js";
import { banner } from "./messages.js";

/** Opens a dialog with a new login link to this page and its QR code. */
export async function openOnPhone() {
  let link;
  try {
    const address = location.href.split(/[?#]/)[0];
    ({ answer: link } = await send("POST", "/v1/admin/login-links", {}, { address }));
  } catch (error) {
    if (!(error instanceof Failed)) {
      throw error;
    }
    banner(`Cannot make a login link: ${error.message}.`);
    return;
  }
  const isLocal = /^(localhost|127\..*|\[::1\])$/.test(location.hostname);
  const dialog = showDialog("Open on a phone",
    `Scan this code with the phone's camera. The link works once, until ${clock(Date.parse(link.expires_at))} (five minutes), and logs in with your rights.`,
    isLocal && h("p", { class: "notice" }, `A phone cannot reach ${location.host}, which is this computer itself. Open the dashboard at the address that other devices use, and try again.`),
    code(link.qr),
    h("p", null, h("code", null, link.url)),
    h("div", { class: "buttons" }, h("button", { type: "button", class: "button", onclick: () => dialog.close() }, "Close")));
  // The menu that had the focus is closed, so the focus returns to the button that opens it: the visible one of two.
  dialog.addEventListener("close", () => {
    for (const opener of document.querySelectorAll(".opens-more, .opens-all")) {
      opener.focus();
    }
  });
}

/** Draws a QR code, with the light margin that readers need. */
function code(rows) {
  const size = rows.length + 8;
  const dark = rows.flatMap((row, y) => [...row].map((module, x) => (module === "1" ? `M${x + 4} ${y + 4}h1v1h-1z` : "")));
  return s("svg", { class: "qr", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": "QR code of the link" },
    s("rect", { width: size, height: size }),
    s("path", { d: dark.join("") }));
}
