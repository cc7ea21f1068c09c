// Asks a game server for a scramble, with the next answer that its plugin gets.

import { Failed, part, send } from "../api.js";
import { h } from "../dom.js";
import { sentence } from "../format.js";
import { say } from "../messages.js";

export function scrambleRequest(server) {
  const ask = async (event) => {
    event.preventDefault();
    const form = event.target;
    const error = form.querySelector(".field-error");
    const reason = form.elements.reason.value.trim();
    error.textContent = "";
    try {
      const notice = await send("POST", `/v1/admin/servers/${part(server)}/scramble`, {}, reason ? { reason } : {});
      form.elements.reason.value = "";
      const until = new Date(notice.answer.expires_at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
      say(`${server} gets the request with its next answer, until ${until}.`);
    } catch (failure) {
      if (!(failure instanceof Failed)) {
        throw failure;
      }
      error.textContent = sentence(failure.message);
    }
  };
  return h("form", { class: "change", onsubmit: ask, "data-key": "scramble", "aria-label": `A scramble on ${server}` },
    h("div", { class: "field" },
      h("label", { for: "scramble-reason" }, "Reason, which players may see"),
      h("input", { id: "scramble-reason", name: "reason", type: "text", maxlength: 500, autocomplete: "off", placeholder: "three stomps in a row" })),
    h("button", { type: "submit", class: "button" }, `Ask ${server} for a scramble`),
    h("p", { class: "field-error", role: "alert", "data-keep": true }));
}
