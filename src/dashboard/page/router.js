// Routing by the fragment of the address, after the "#". Links and the back button work, and the fragment is never
// sent to the service.

/** Parses the address into its view, the rest of the path, and the query. */
export function place() {
  const [path, search = ""] = location.hash.replace(/^#\/?/, "").split("?", 2);
  const [view, ...rest] = path.split("/");
  return {
    view,
    rest: rest.map(decoded),
    query: Object.fromEntries(new URLSearchParams(search)),
  };
}

/** Returns the token if the address is a login link, else `null`. */
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

/** Builds an address. Omits empty values of `query`. */
export function address(view, rest = [], query = {}) {
  const path = ["#", view, ...rest.map(encodeURIComponent)].join("/");
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const search = new URLSearchParams(given).toString();
  return search ? `${path}?${search}` : path;
}

export function go(to) {
  location.hash = to;
}
