// Elements, made without markup: whatever the service says becomes text.

const SVG = "http://www.w3.org/2000/svg";

/**
 * Makes an element. Of the properties, functions are handlers ("onclick"), `true` is an attribute
 * without a value, and `false`, `null` and `undefined` are left out. Children may be nodes, texts,
 * numbers, lists of them, and nothing.
 */
export function h(tag, properties, ...children) {
  return fill(document.createElement(tag), properties, children);
}

/** The same for the elements of a drawing. */
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
