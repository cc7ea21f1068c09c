// What is said to those who see and to those who listen.

/** Says what has happened; it goes away by itself. */
export function say(text) {
  const said = document.getElementById("said");
  said.textContent = text;
  clearTimeout(say.timer);
  say.timer = setTimeout(() => {
    said.textContent = "";
  }, 8000);
}

/** Shows a lasting message above the page, or none; it is an alert, so it is read out too. */
export function banner(text) {
  const place = document.getElementById("banner");
  if (place.textContent !== (text ?? "")) {
    place.textContent = text ?? "";
  }
  place.hidden = !text;
}
