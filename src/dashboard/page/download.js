// Downloads of files that the page creates itself.

import { h } from "./dom.js";

/** Downloads `blob` as a file named after `title` with the extension `ending`. */
export function save(blob, title, ending) {
  const url = URL.createObjectURL(blob);
  const name = `rbs ${title}`.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 80);
  h("a", { href: url, download: `${name}.${ending}` }).click();
  // Gives the browser time to read the blob.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
