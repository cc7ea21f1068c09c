// Files that the page makes itself, from what it shows.

import { h } from "./dom.js";

/** Has the browser save `blob` in a file called `title` with the ending `ending`. */
export function save(blob, title, ending) {
  const url = URL.createObjectURL(blob);
  const name = `rbs ${title}`.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 80);
  h("a", { href: url, download: `${name}.${ending}` }).click();
  // The browser has to have read it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
