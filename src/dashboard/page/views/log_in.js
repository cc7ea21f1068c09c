// The login form.

import { Away, closeSession, get, NotLoggedIn, openSession, Refused } from "../api.js";
import { h } from "../dom.js";
import { say } from "../messages.js";

/** Shows the form in `main`. Calls `done` with the new session and the list of pools after a successful login. */
export function logIn(main, message, done) {
  const error = h("p", { class: "field-error", id: "secret-error" }, message);
  const field = h("input", { id: "secret", name: "secret", type: "password", autocomplete: "current-password", spellcheck: "false", required: true, "aria-describedby": "secret-help secret-error" });
  const button = h("button", { type: "submit", class: "button primary" }, "Log in");
  const tryIt = async (event) => {
    event.preventDefault();
    button.disabled = true;
    error.textContent = "";
    try {
      const who = await openSession({ secret: field.value.trim() });
      const found = await get("/v1/admin/pools");
      say("");
      done(who, found);
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
    h("p", null, "Rounds, players and prediction quality, for the admins of your game servers."),
    h("label", { for: "secret" }, "Admin secret"),
    field,
    error,
    h("p", { class: "muted", id: "secret-help" }, "The secret is sent once and not stored. You stay logged in, in every tab of this browser, until you log out or no RBS tab has been open for half an hour."),
    button));
  if (message) {
    say(message);
  }
  field.focus();
}

function words(failure) {
  if (failure instanceof NotLoggedIn) {
    return "RBS does not know this secret. Check it for typos, or look up the admin secret in the RBS configuration.";
  }
  if (failure instanceof Refused && failure.status === 403) {
    return "This is a game server's secret. The dashboard needs an admin secret.";
  }
  if (failure instanceof Away) {
    return "RBS does not respond. Try again in a moment.";
  }
  return failure.message;
}
