// Asks for the secret, and says what is wrong with one that does not open.

import { Away, closeSession, get, NotLoggedIn, openSession, Refused } from "../api.js";
import { h } from "../dom.js";
import { say } from "../messages.js";

/** Shows the form in `main`; calls `done` with who it is once a secret has opened the service. */
export function logIn(main, message, done) {
  const error = h("p", { class: "field-error", id: "secret-error" }, message);
  const field = h("input", { id: "secret", name: "secret", type: "password", autocomplete: "current-password", spellcheck: "false", required: true, "aria-describedby": "secret-help secret-error" });
  const button = h("button", { type: "submit", class: "button primary" }, "Log in");
  const tryIt = async (event) => {
    event.preventDefault();
    button.disabled = true;
    // What was wrong with the last one is not wrong with this one yet.
    error.textContent = "";
    try {
      const who = await openSession({ secret: field.value.trim() });
      await get("/v1/admin/pools");
      done(who);
    } catch (failure) {
      if (failure instanceof Refused) {
        await closeSession().catch(() => null);
      }
      error.textContent = words(failure);
      field.setAttribute("aria-invalid", "true");
      say(error.textContent);
      button.disabled = false;
      field.select();
      field.focus();
    }
  };
  main.removeAttribute("aria-busy");
  main.replaceChildren(h("form", { class: "log-in", onsubmit: tryIt },
    h("h1", null, "RBS: ratings, balance, scramble"),
    h("p", null, "What the service knows of rounds, players and its own predictions, for those who run it."),
    h("label", { for: "secret" }, "Admin secret"),
    field,
    error,
    h("p", { class: "muted", id: "secret-help" }, "It is sent once and not kept. You stay logged in, in every tab of this browser, until you log out or nothing has been open here for half an hour."),
    button));
  if (message) {
    say(message);
  }
  field.focus();
}

function words(failure) {
  if (failure instanceof NotLoggedIn) {
    return "This secret opens nothing: it is none that the service knows.";
  }
  if (failure instanceof Refused && failure.status === 403) {
    return "This is a game server's secret; the dashboard is for admins and needs theirs.";
  }
  if (failure instanceof Away) {
    return "The service does not answer; try again in a moment.";
  }
  return failure.message;
}
