// HTTP requests to the service that served this page. A session cookie, which scripts cannot read, authenticates them.

/** A failed request. The message is fit to show to the user. */
export class Failed extends Error {}

/** The service rejected the request. */
export class Refused extends Failed {
  constructor(status, problem) {
    super(problem?.detail ?? `RBS answered with status ${status}`);
    this.status = status;
  }
}

/** The service or its database does not respond, or is overloaded. */
export class Away extends Failed {}

/** There is no session: not logged in, logged out, or the secret was removed. */
export class NotLoggedIn extends Failed {}

/** Returns the session, `{seconds, secret, name}`. All three are `null` when nobody is logged in. */
export async function session() {
  return get("/session");
}

/** Logs in with a `{secret}`, or with the `{token}` of the link that the service prints when it starts. */
export async function openSession(proof) {
  const { answer } = await ask("POST", "/session", {}, proof);
  return answer;
}

/** Logs out in every tab. */
export async function closeSession() {
  await ask("DELETE", "/session");
}

/** Request timeout in milliseconds, a little above the service's own request timeout. */
const TIMEOUT = 30_000;

/** Sends a GET request and returns the JSON answer. Omits query parameters that are `null` or empty. */
export async function get(path, query = {}) {
  const { answer } = await ask("GET", path, query);
  return answer;
}

/** Sends `body` as JSON and returns `{status, answer}`. */
export async function send(method, path, query, body) {
  return ask(method, path, query, body);
}

async function ask(method, path, query, body) {
  const headers = { accept: "application/json" };
  if (method !== "GET") {
    // Protects against CSRF: a page of another origin cannot send this header.
    headers["rbs-page"] = "1";
  }
  if (body !== undefined) {
    headers["content-type"] = "application/json";
  }
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const search = new URLSearchParams(given).toString();
  let response;
  let answer;
  try {
    response = await fetch(search ? `${path}?${search}` : path, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      cache: "no-store",
      credentials: "same-origin",
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT),
    });
    answer = await response.json();
  } catch (error) {
    throw new Away("RBS does not respond", { cause: error });
  }
  if (response.status === 401) {
    throw new NotLoggedIn(answer.detail);
  }
  if (response.status === 429 || response.status >= 500) {
    throw new Away(answer.detail ?? "RBS is too busy at the moment");
  }
  if (!response.ok) {
    throw new Refused(response.status, answer);
  }
  return { status: response.status, answer };
}

/** Encodes one path segment. Appends "~" to "." and "..", which browsers would otherwise resolve as relative paths. */
export function part(text) {
  return encodeURIComponent(text) + (/^\.\.?~*$/.test(text) ? "~" : "");
}

/**
 * Waits for all promises and returns `{value}` or `{error}` for each. Throws if all of them fail, if the session has
 * ended, or on an error that is not a `Failed`.
 */
export async function each(promises) {
  const settled = await Promise.allSettled(promises);
  const failures = settled.filter(({ status }) => status === "rejected").map(({ reason }) => reason);
  const everybodys = failures.find((reason) => !(reason instanceof Failed) || reason instanceof NotLoggedIn);
  if (everybodys) {
    throw everybodys;
  }
  if (failures.length === settled.length) {
    throw failures[0];
  }
  return settled.map(({ value, reason }) => (reason === undefined ? { value } : { error: reason }));
}
