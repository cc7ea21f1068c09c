// Messages to the user, which screen readers announce too.

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
