// Messages to the user, which screen readers announce too.

import { Failed } from "./api.js";
import { sentence } from "./format.js";

/** Shows a message for eight seconds. An empty text removes it at once. */
export function say(text) {
  const said = document.getElementById("said");
  said.textContent = text;
  clearTimeout(say.timer);
  say.timer = setTimeout(() => {
    said.textContent = "";
  }, 8000);
}

/** Shows a permanent alert above the page, or hides it if `text` is `null`. */
export function banner(text) {
  const place = document.getElementById("banner");
  if (place.textContent !== (text ?? "")) {
    place.textContent = text ?? "";
  }
  place.hidden = !text;
}

/** Returns the result of `work`. If a request of it fails, shows the reason in `error` and returns `false`. */
export async function reporting(error, work) {
  error.textContent = "";
  try {
    return await work();
  } catch (failure) {
    if (!(failure instanceof Failed)) {
      throw failure;
    }
    error.textContent = sentence(failure.message);
    return false;
  }
}
