// Creates DOM elements without parsing markup, so that text from the service is never interpreted as HTML.

const SVG = "http://www.w3.org/2000/svg";

/**
 * Creates an HTML element. Functions in `properties` become handlers, such as "onclick". `true` sets an attribute
 * without a value; `false`, `null` and `undefined` are skipped. Children may be nodes, texts, numbers, lists or nothing.
 */
export function h(tag, properties, ...children) {
  return fill(document.createElement(tag), properties, children);
}

/** Creates an SVG element, like `h`. */
export function s(tag, properties, ...children) {
  return fill(document.createElementNS(SVG, tag), properties, children);
}

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (typeof value === "function") {
      element[name] = value;
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children) {
    if (Array.isArray(child)) {
      append(element, child);
    } else if (child !== false && child !== null && child !== undefined) {
      element.append(child instanceof Node ? child : String(child));
    }
  }
}
