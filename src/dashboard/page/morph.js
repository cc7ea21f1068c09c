// Updates the DOM in place and leaves unchanged nodes alone. The focus, the scroll position, a half-typed text and an
// open <details> survive a refresh.

import { replot } from "./charts/plot.js";

const HANDLERS = ["onclick", "onsubmit", "oninput", "onchange", "renew"];

/** Makes `old` equal to `fresh`, an element of the same kind. Skips elements with `data-keep`. */
export function morph(old, fresh) {
  if (fresh.hasAttribute("data-keep")) {
    return;
  }
  takeAttributes(old, fresh);
  for (const handler of HANDLERS) {
    if (old[handler] !== fresh[handler]) {
      old[handler] = fresh[handler];
    }
  }
  if (old.plot && fresh.plot) {
    replot(old, fresh.plot);
  } else {
    takeChildren(old, fresh);
  }
}

function takeAttributes(old, fresh) {
  const kept = new Set();
  if (old.localName === "details" || old.localName === "dialog") {
    kept.add("open");
  }
  if (["input", "select", "textarea"].includes(old.localName)) {
    kept.add("value").add("aria-invalid");
  }
  if (old.localName === "option") {
    kept.add("selected");
  }
  if (old.plot) {
    kept.add("aria-valuenow").add("aria-valuetext");
  }
  for (const { name, value } of [...fresh.attributes]) {
    if (!kept.has(name) && old.getAttribute(name) !== value) {
      old.setAttribute(name, value);
    }
  }
  for (const { name } of [...old.attributes]) {
    if (!kept.has(name) && !fresh.hasAttribute(name)) {
      old.removeAttribute(name);
    }
  }
}

function key(node) {
  return node.nodeType === Node.ELEMENT_NODE ? node.getAttribute("data-key") : null;
}

function alike(old, fresh) {
  return old.nodeName === fresh.nodeName && key(old) === key(fresh);
}

function takeChildren(old, fresh) {
  const wanted = [...fresh.childNodes];
  const staying = new Set(wanted.map(key).filter((name) => name !== null));
  const byKey = new Map();
  for (const child of [...old.childNodes]) {
    const name = key(child);
    if (name !== null && !staying.has(name)) {
      child.remove();
    } else if (name !== null) {
      byKey.set(name, child);
    }
  }
  let place = old.firstChild;
  for (const child of wanted) {
    const name = key(child);
    const found = name === null ? place : byKey.get(name);
    if (!found || !alike(found, child)) {
      old.insertBefore(child, place);
      continue;
    }
    if (found === place) {
      place = place.nextSibling;
    } else {
      old.insertBefore(found, place);
    }
    if (child.nodeType === Node.ELEMENT_NODE) {
      morph(found, child);
    } else if (found.nodeValue !== child.nodeValue) {
      found.nodeValue = child.nodeValue;
    }
  }
  while (place) {
    const next = place.nextSibling;
    place.remove();
    place = next;
  }
}
