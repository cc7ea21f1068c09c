// Requests to the service that this page came from. Who asks, it knows by a cookie that no script can read.

/** A request that came to nothing, for a reason that can be shown. */
export class Failed extends Error {}

/** The service answered, and refused. */
export class Refused extends Failed {
  constructor(status, problem) {
    super(problem?.detail ?? `the service answered with the status ${status}`);
    this.status = status;
  }
}

/** The service, or what is behind it, does not answer. */
export class Away extends Failed {}

/** The secret is none, or none any more. */
export class NotLoggedIn extends Failed {}

/** Who is logged in: `{seconds, secret, name}`, each `null` where nobody is. */
export async function session() {
  return get("/session");
}

/** Logs in by a `{secret}`, or by the `{token}` of the link that the service printed at its start. */
export async function openSession(proof) {
  const { answer } = await ask("POST", "/session", {}, proof);
  return answer;
}

/** Logs out, in every tab. */
export async function closeSession() {
  await ask("DELETE", "/session");
}

/** How long an answer may take: a little longer than the service itself lets it. */
const TIMEOUT = 30_000;

/** Gets what stands at `path`; what is `null` or empty in `query` is left out. */
export async function get(path, query = {}) {
  const { answer } = await ask("GET", path, query);
  return answer;
}

/** Sends `body`; answers the status and what came back. */
export async function send(method, path, query, body) {
  return ask(method, path, query, body);
}

async function ask(method, path, query, body) {
  const headers = { accept: "application/json" };
  if (method !== "GET") {
    // No page of another origin can send it, so the service knows that this one does.
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
    throw new Away("the service does not answer", { cause: error });
  }
  if (response.status === 401) {
    throw new NotLoggedIn(answer.detail);
  }
  if (response.status === 429 || response.status >= 500) {
    throw new Away(answer.detail ?? "the service has no time at the moment");
  }
  if (!response.ok) {
    throw new Refused(response.status, answer);
  }
  return { status: response.status, answer };
}

/** A part of a path that may hold any character; where it is but dots, browsers would take it for a way up. */
export function part(text) {
  return encodeURIComponent(text) + (/^\.\.?~*$/.test(text) ? "~" : "");
}

/**
 * What each of the promises became: `{value}`, or `{error}` where that one came to nothing. Where none
 * has a value, the page itself has failed; so it has where nobody is logged in any more.
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
