// Entry point: shows the page that the address names and refreshes it.

import { closeSession, Failed, get, NotLoggedIn, openSession, Refused, session } from "./api.js";
import { drawNew } from "./charts/plot.js";
import { h } from "./dom.js";
import { clock, sentence } from "./format.js";
import { closeMenu, foot, markFresh, nameOf, top } from "./frame.js";
import { banner } from "./messages.js";
import { morph } from "./morph.js";
import { address, linkToken, place } from "./router.js";
import { audit } from "./views/audit.js";
import { interventions } from "./views/interventions.js";
import { leaderboard } from "./views/leaderboard.js";
import { live } from "./views/live.js";
import { logIn } from "./views/log_in.js";
import { overview } from "./views/overview.js";
import { foldPanels } from "./views/panels.js";
import { player } from "./views/player.js";
import { players } from "./views/players.js";
import { pools } from "./views/pools.js";
import { round } from "./views/round.js";
import { rounds } from "./views/rounds.js";
import { scramble } from "./views/scramble.js";
import { seasons } from "./views/seasons.js";
import { servers } from "./views/servers.js";
import { settings } from "./views/settings.js";

/** The views by name. Has no prototype, so that "constructor" is not a view. */
const VIEWS = { __proto__: null, overview, pools, live, player, players, rounds, round, scramble, interventions, audit, leaderboard, seasons, servers, settings };

/** Refresh interval in milliseconds. */
const REFRESH = 15_000;

/** Time in milliseconds after which a page that is still loading says so. */
const SLOW = 150;

/** The state of the page. `asking` numbers the requests, so that outdated answers can be dropped. */
const state = { who: null, pools: null, version: null, shownAt: null, shownAddress: null, paused: false, asking: 0 };

const main = document.getElementById("main");

/**
 * Returns the current place and its pool; `pool` is `null` if the address names an unknown pool. An address without a
 * view becomes that of all pools if several have rounds.
 */
function context() {
  const pools = state.pools;
  if (place().view === "") {
    const { pool } = place().query;
    const several = pools.filter(({ rounds }) => rounds > 0).length > 1;
    history.replaceState(null, "", address(several && !pool ? "pools" : "overview", [], { pool }));
  }
  const { view, rest, query } = place();
  const pool = pools.find((known) => known.pool === query.pool) ?? (query.pool ? null : usual(pools));
  return { view, rest, query, pool, pools, show };
}

/** Returns the pool for addresses without one: `default`, unless only other pools have rounds; then the busiest. */
function usual(pools) {
  const known = pools.find(({ pool }) => pool === "default") ?? pools[0];
  return known.rounds > 0 ? known : pools.reduce((one, other) => (other.rounds > one.rounds ? other : one), known);
}

/** Marks the page in the navigation and the title before its data is there, and says that it loads if that is slow. */
function begin(asked, how) {
  const now = context();
  const name = nameOf(now.view);
  state.shownAddress = null;
  document.title = `${name} · RBS`;
  top(now, { paused: state.paused, pause, logOut, who: state.who });
  if (how === "go") {
    closeMenu();
  }
  setTimeout(() => {
    if (asked === state.asking && main.hasAttribute("aria-busy")) {
      main.replaceChildren(h("div", { class: "loading" }, h("h1", null, name), h("p", { class: "muted", role: "status" }, "Loading…")));
    }
  }, SLOW);
}

/** Shows the page that the address names. A refresh updates only the parts that changed. */
async function show(how = "refresh") {
  if (state.who === null) {
    showLogIn();
    return;
  }
  const asked = ++state.asking;
  const fresh = how !== "refresh" || state.shownAddress !== location.hash;
  if (fresh) {
    main.setAttribute("aria-busy", "true");
  }
  try {
    if (state.pools !== null && fresh) {
      begin(asked, how);
    }
    if (state.pools === null || !fresh || place().view === "pools") {
      const { pools, version } = await get("/v1/admin/pools");
      Object.assign(state, { pools, version });
    }
    const now = context();
    const shown = await content(now);
    if (asked !== state.asking) {
      return;
    }
    put(shown, fresh, now, how);
    state.shownAt = Date.now();
    markFresh(state.shownAt);
    banner(null);
  } catch (error) {
    if (asked === state.asking) {
      fail(error, fresh);
    }
  }
}

/** Returns the title and the DOM tree of the page that the address names. */
async function content(now) {
  const view = VIEWS[now.view];
  if (!view) {
    return missing("Page not found", "The dashboard has no page at this address.");
  }
  if (now.pool === null) {
    return missing("Pool not found", `RBS has no pool named "${now.query.pool}". Choose a pool at the top of the page.`);
  }
  try {
    return await view(now);
  } catch (error) {
    if (error instanceof Refused) {
      return missing(error.status === 404 ? "Not found" : "RBS rejected the request", sentence(error.message));
    }
    throw error;
  }
}

function missing(title, text) {
  return {
    title,
    tree: h("div", null, h("h1", null, title), h("p", null, text), h("p", null, h("a", { href: address("overview") }, "Go to the overview"))),
  };
}

function put({ title, tree }, fresh, now, how) {
  document.title = `${title} · RBS`;
  top(now, { paused: state.paused, pause, logOut, who: state.who });
  foot(state.version);
  if (fresh || main.firstElementChild === null) {
    main.replaceChildren(tree);
    foldPanels(tree, false);
    state.shownAddress = location.hash;
    // While stepping through the pools, the focus stays in the list of pools.
    if (how === "go" && document.activeElement?.id !== "pool") {
      main.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
  } else {
    foldPanels(tree, true);
    morph(main.firstElementChild, tree);
  }
  main.removeAttribute("aria-busy");
  drawNew(main);
}

function fail(error, fresh) {
  main.removeAttribute("aria-busy");
  if (error instanceof NotLoggedIn) {
    showLogIn(`You were logged out: ${error.message}.`);
    return;
  }
  if (error instanceof Refused && error.status === 403) {
    closeSession().catch(() => null);
    showLogIn(sentence(error.message));
    return;
  }
  if (!(error instanceof Failed)) {
    console.error(error);
  }
  const since = state.shownAt === null ? "" : ` The data shown is from ${clock(state.shownAt)}.`;
  banner(`Cannot update this page: ${error.message}.${fresh ? "" : since} Retrying automatically.`);
  if (fresh) {
    main.replaceChildren(h("div", null, h("h1", null, "RBS does not respond"), h("p", null, "This page retries every 15 seconds. Check that RBS is running.")));
    state.shownAddress = null;
  }
}

function showLogIn(message) {
  state.asking += 1;
  Object.assign(state, { who: null, pools: null, shownAt: null, shownAddress: null });
  document.getElementById("top").hidden = true;
  document.getElementById("foot").hidden = true;
  banner(null);
  document.title = "Log in · RBS";
  logIn(main, message, (who, { pools, version }) => {
    Object.assign(state, { who, pools, version });
    show("go");
  });
}

async function logOut() {
  try {
    await closeSession();
  } catch (error) {
    banner(`Logging out failed, you are still logged in: ${error.message}. Try again.`);
    return;
  }
  showLogIn("You are logged out.");
}

function pause() {
  state.paused = !state.paused;
  top(context(), { paused: state.paused, pause, logOut, who: state.who });
  if (!state.paused) {
    show();
  }
}

function isDue() {
  const open = document.querySelector("dialog[open]") !== null;
  return state.who !== null && !document.hidden && !state.paused && !open;
}

/** Shows the page that the address names. Logs in first if the address is a login link. */
async function enter(how) {
  const token = linkToken();
  try {
    if (token !== null) {
      // The token works once; keep it out of the browser's history.
      history.replaceState(null, "", "#/");
      state.who = await openSession({ token });
    } else if (state.who === null) {
      await takeSession();
    }
  } catch (error) {
    showLogIn(sentence(error.message));
    return;
  }
  await show(how);
}

/** Resumes the session of another tab or an earlier visit. */
async function takeSession() {
  const who = await session();
  state.who = who.seconds === null ? null : who;
}

addEventListener("hashchange", () => enter("go"));
setInterval(() => isDue() && show(), REFRESH);
document.addEventListener("visibilitychange", () => {
  if (state.who === null && !document.hidden) {
    takeSession().then(() => state.who !== null && show("go"), () => null);
  } else if (isDue() && Date.now() - (state.shownAt ?? 0) > REFRESH) {
    show();
  }
});
document.querySelector(".skip").onclick = (event) => {
  event.preventDefault();
  main.focus();
};

enter("begin");
