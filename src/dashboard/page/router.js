// Where one is, in the part of the address behind the "#": links and the browser's own buttons work,
// and nothing of it is ever sent to the service.

/** The place that the address names: its view, what follows that, and the query. */
export function place() {
  const [path, search = ""] = location.hash.replace(/^#\/?/, "").split("?", 2);
  const [view, ...rest] = path.split("/");
  return {
    view: view || "overview",
    rest: rest.map(decoded),
    query: Object.fromEntries(new URLSearchParams(search)),
  };
}

/** The token, where the address is a link to log in by; else `null`. */
export function linkToken() {
  const { view, rest } = place();
  return view === "enter" && rest.length === 1 ? rest[0] : null;
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The address of a place. What is empty in `query` is left out. */
export function address(view, rest = [], query = {}) {
  const path = ["#", view, ...rest.map(encodeURIComponent)].join("/");
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const search = new URLSearchParams(given).toString();
  return search ? `${path}?${search}` : path;
}

/** Goes to an address. */
export function go(to) {
  location.hash = to;
}
