// The form that asks a game server to scramble. The plugin gets the request with the next answer of the service.

import { Failed, part, send } from "../../api.js";
import { h } from "../../dom.js";
import { sentence } from "../../format.js";
import { say } from "../../messages.js";

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
      say(`Request saved. ${server} will receive it when its plugin next contacts RBS, at the latest at ${until}.`);
    } catch (failure) {
      if (!(failure instanceof Failed)) {
        throw failure;
      }
      error.textContent = sentence(failure.message);
    }
  };
  return h("form", { class: "change", onsubmit: ask, "data-key": "scramble", "aria-label": `Request a scramble on ${server}` },
    h("div", { class: "field" },
      h("label", { for: "scramble-reason" }, "Reason (players may see it)"),
      h("input", { id: "scramble-reason", name: "reason", type: "text", maxlength: 500, autocomplete: "off", placeholder: "three stomps in a row" })),
    h("button", { type: "submit", class: "button" }, `Request scramble on ${server}`),
    h("p", { class: "field-error", role: "alert", "data-keep": true }));
}
