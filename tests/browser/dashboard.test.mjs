// End-to-end tests of the dashboard, in one browser against one service. A test also fails if its page has a fault, such
// as a console error or a failed request: see support/browser.mjs.
//
// RBS_BINARY is the path of the program and CHROMIUM that of the browser. scripts/browser.sh sets both.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";

import { api } from "./api.mjs";
import { checkAccess, openPage, startBrowser } from "./support/browser.mjs";
import { findRounds } from "./find_rounds.mjs";
import { INTERVENTIONS, interventions } from "./interventions.mjs";
import { keyboard } from "./keyboard.mjs";
import { live } from "./live.mjs";
import { measure } from "./measure.mjs";
import { charts, overview, unanswered } from "./overview.mjs";
import { people } from "./people.mjs";
import { phone } from "./phone.mjs";
import { picture } from "./picture.mjs";
import { elsewhere, loading, pools } from "./pools.mjs";
import { everybody } from "./public.mjs";
import { rebuild } from "./rebuild.mjs";
import { refresh } from "./refresh.mjs";
import { id } from "./support/rounds.mjs";
import { seasons } from "./seasons.mjs";
import { servers } from "./servers.mjs";
import { ADMIN_SECRET, SECRET, startAtTerminal, startService } from "./support/service.mjs";
import { settings } from "./settings.mjs";
import { checkWidth, heading, logIn, logOut, visit } from "./support/steps.mjs";
import { correction, trial } from "./trial.mjs";

const PAGES = [
  ["#/pools", "Pools"],
  ["#/overview", "Overview"],
  ["#/live", "Live"],
  ["#/rounds", "Rounds"],
  [`#/player/${id(1)}`, "Player"],
  ["#/interventions", "Interventions"],
  [INTERVENTIONS, "Interventions arena"],
  ["#/players", "Players"],
  ["#/leaderboard", "Leaderboard"],
  ["#/scramble", "Scramble"],
  ["#/servers", "Servers"],
  ["#/audit", "Audit trail"],
  ["#/seasons", "Seasons"],
  ["#/settings", "Settings"],
  ["#/nowhere", "Page not found"],
];

let service;
let browser;
/** The latest generated round, and the address of its page. */
let last;
let lastRound;

before(async () => {
  service = await startService(process.env.RBS_BINARY);
  last = service.rounds.at(-1);
  lastRound = `#/round/${last.server}/${encodeURIComponent(last.round_id)}`;
  browser = await startBrowser(process.env.CHROMIUM);
});

after(async () => {
  await browser?.stop();
  await service?.stop();
});

/** Defines a test with its own page, which must have no faults at the end. */
function inPage(name, work) {
  test(name, async () => {
    // All pages share the cookies, and with them the session.
    await browser.context.clearCookies();
    const { page, watched } = await openPage(browser.context, service.url);
    try {
      await work(page, watched);
      watched.check();
    } finally {
      await page.close();
      await browser.context.setOffline(false);
    }
  });
}

test("the login link of the service works once and leaves no trace in the address", async () => {
  const started = await startAtTerminal(process.env.RBS_BINARY);
  await browser.context.clearCookies();
  const { page, watched } = await openPage(browser.context, started.link);
  try {
    await page.goto(started.link);
    await page.getByRole("navigation", { name: "Pages" }).waitFor();
    await heading(page, "Overview");
    await page.getByText("Connect your first server").waitFor();
    assert.ok(!page.url().includes("enter"), page.url());
    await page.reload();
    await heading(page, "Overview");
    await logOut(page);
    await watched.allowing([/401/], async () => {
      // Like pasting the link into the address bar of the open page.
      await page.evaluate((hash) => {
        location.hash = hash;
      }, new URL(started.link).hash);
      await page.locator("#secret-error").filter({ hasText: "already used" }).waitFor();
      await checkAccess(page, "the login with a used link");
    });
    assert.ok(!page.url().includes("enter"), page.url());
    watched.check();
  } finally {
    await page.close();
    await started.stop();
  }
});

inPage("a wrong secret is rejected, a right one logs in, and logging out ends the session", async (page, watched) => {
  await page.goto(service.url);
  const field = page.getByLabel("Admin secret");
  await field.waitFor();
  await checkAccess(page, "the login form");
  await watched.allowing([/40[13]/], async () => {
    for (const [secret, says] of [["wrong", "does not know this secret"], ["密码", "does not know this secret"], [SECRET, "a game server's secret"]]) {
      await field.fill(secret);
      await page.keyboard.press("Enter");
      await page.locator("#secret-error").filter({ hasText: says }).waitFor();
      assert.equal(await field.evaluate((element) => element === document.activeElement), true, "the field lost the focus");
    }
  });
  await checkAccess(page, "the login form after a wrong secret");
  await field.fill(ADMIN_SECRET);
  await page.getByRole("button", { name: "Log in" }).click();
  await heading(page, "Overview");
  assert.ok(!page.url().includes(ADMIN_SECRET), "the secret is in the address");
  assert.equal(await page.locator("#said").textContent(), "", "the message about a wrong secret is still there");

  const second = await browser.context.newPage();
  await second.goto(`${service.url}/#/rounds`);
  await heading(second, "Rounds");
  await logOut(second);
  await second.close();
  await watched.allowing([/401/], async () => {
    await page.evaluate(() => {
      location.hash = "#/rounds";
    });
    await field.waitFor();
  });
  await page.reload();
  await field.waitFor();
  assert.deepEqual(await browser.context.cookies(), [], "the cookie is still there after logging out");
  assert.equal(await page.evaluate(() => sessionStorage.length + localStorage.length), 0, "something is still stored after logging out");
});

inPage("the overview shows every number, and each chart also as a table", (page) => overview(page, service));

inPage("charts can be zoomed, read together and saved, and tables sorted", (page) => charts(page, service));

inPage("a part whose request fails shows the error, and the rest of the page is there", (page, watched) => unanswered(page, watched, service));

inPage("a player is found by every spelling, and links and the back button work", async (page) => {
  await logIn(page, service.url);
  await heading(page, "Overview");
  const field = page.getByLabel("Player by name or Steam ID");
  for (const spelling of [id(7), "STEAM_0:1:3", "STEAM_1:1:3", "[U:1:7]"]) {
    await field.fill(spelling);
    await field.press("Enter");
    await heading(page, `Player ${id(7)}`);
    await page.getByRole("heading", { name: "Rating over time" }).waitFor();
    assert.ok(page.url().endsWith(`#/player/${id(7)}`), page.url());
    await page.goBack();
    await heading(page, "Overview");
  }
  await field.fill("BOT");
  await field.press("Enter");
  await heading(page, "Players");
  await page.getByText("No players found.").waitFor();
  await checkAccess(page, "a search for nobody");
  await visit(page, `#/player/${id(4000)}`, "Player");
  await page.getByText("New in this pool").waitFor();
});

test("the page parses ids like the service", async () => {
  // The page's bundle exports nothing, so import the module's source.
  const source = await readFile(new URL("../../src/dashboard/page/steam_id.js", import.meta.url), "utf8");
  const { steamId64 } = await import(`data:text/javascript,${encodeURIComponent(source)}`);
  const texts = [
    id(0), id(1), id(4294967295), id(4294967296), "STEAM_0:0:0", "STEAM_0:1:0", "STEAM_1:0:2147483647", "STEAM_0:0:2147483648",
    "STEAM_2:0:1", "STEAM_0:2:1", "[U:1:0]", "[U:1:1]", "[U:1:4294967295]", "[U:1:4294967296]", "[U:2:1]", "BOT", "0", "-1",
  ];
  for (const text of texts) {
    const headers = { authorization: `Bearer ${SECRET}` };
    const response = await fetch(`${service.url}/v1/players/${encodeURIComponent(text)}`, { headers });
    assert.equal(steamId64(text), response.ok ? (await response.json()).id : null, text);
  }
});

inPage("a rating is set and reset after a confirmation that shows the values before and after", async (page) => {
  await logIn(page, service.url, `#/player/${id(3)}`);
  await heading(page, "Player");
  const rating = page.locator(".card", { hasText: "Rating" }).first().locator(".value");
  const old = await rating.textContent();
  const give = page.getByRole("form", { name: "Set a rating" });
  await give.getByLabel("New rating").fill("2150");
  await give.getByLabel("Reason").fill("plays in the first division <b>");
  await give.getByRole("button").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("row", { name: `Rating ${old} 2,150` }).waitFor();
  await checkAccess(page, "the confirmation before a rating is set");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  assert.equal(await rating.textContent(), old, "the rating changed although the confirmation was cancelled");

  await give.getByRole("button").click();
  await dialog.getByRole("button", { name: "Set the rating" }).click();
  await rating.filter({ hasText: "2,150" }).waitFor();

  const reset = page.getByRole("form", { name: "Reset" });
  await reset.getByLabel("Reason").fill("the account was sold");
  await reset.getByRole("button").click();
  await dialog.getByRole("row", { name: "Rating 2,150 1,000" }).waitFor();
  await dialog.getByRole("button", { name: "Reset the player" }).click();
  await rating.filter({ hasText: "1,000" }).waitFor();

  await visit(page, "#/audit", "Audit trail");
  const given = page.getByRole("row", { name: "Rating set" });
  await given.filter({ hasText: "plays in the first division <b>" }).filter({ hasText: "rating 2,150" }).waitFor();
  await page.getByRole("row", { name: "Player reset" }).filter({ hasText: "the account was sold" }).waitFor();
});


inPage("rounds are found by server, player and time", (page) => findRounds(page, service, lastRound));

inPage("a round whose server and id are only dots can be opened", async (page) => {
  await service.count([{ server: "..", round_id: ".", pool: "arena", winner: "a", team_a: [id(1)], team_b: [id(2)] }]);
  await logIn(page, service.url, "#/rounds?pool=arena&server=..");
  await page.getByRole("row").filter({ has: page.getByRole("cell", { name: ".", exact: true }) }).getByRole("link").first().click();
  await heading(page, "Round .");
  await page.getByLabel("Reason").fill("it was only a test");
  await page.getByRole("button", { name: "Void the round" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Void the round" }).click();
  await page.getByText("This round does not count.").waitFor();
});

inPage("a round is voided and restored, also if that takes longer than one request", async (page) => {
  await logIn(page, service.url, lastRound);
  await heading(page, "Round");
  const dialog = page.getByRole("dialog");
  await page.getByLabel("Reason").fill("a cheater on team A");
  await page.getByRole("button", { name: "Void the round" }).click();
  await dialog.getByRole("row", { name: "counts does not count" }).waitFor();
  await checkAccess(page, "the confirmation before a round is voided");
  await dialog.getByRole("button", { name: "Void the round" }).click();
  await page.getByText("This round does not count.").waitFor();
  await page.getByText("a cheater on team A").waitFor();
  await checkAccess(page, "a void round");

  // For a large pool the service answers 202 and makes the same change in the background.
  await page.route(/\/unvoid$/, async (route) => {
    const real = await route.fetch();
    assert.equal(real.status(), 200);
    await route.fulfill({ status: 202, json: { detail: "under way" } });
  });
  await page.getByLabel("Reason").fill("it was somebody else");
  await page.getByRole("button", { name: "Restore the round" }).click();
  await dialog.getByRole("button", { name: "Restore the round" }).click();
  await page.getByText("The round counts again.").waitFor();
  await page.getByText("This round does not count.").waitFor({ state: "detached" });

  await visit(page, "#/audit", "Audit trail");
  const voided = page.getByRole("row", { name: "Round voided" }).filter({ hasText: "a cheater on team A" });
  await voided.locator("summary").click();
  await voided.getByText(last.team_a[0]).waitFor({ state: "attached" });
  await page.getByRole("row", { name: "Round restored" }).filter({ hasText: "it was somebody else" }).waitFor();
});

inPage("a long change shows its progress, and can be stopped after a confirmation", (page) => rebuild(page, service, last, lastRound));
inPage("servers are listed with their problems", (page) => servers(page, service));

inPage("a winner is corrected, and corrected back", (page) => correction(page, service, last, lastRound));

inPage("a scramble can be previewed", (page) => trial(page, service));

inPage("players are found by name, sorted, given an alias and forgotten", (page, watched) => people(page, watched, service));

inPage("a season is started, shown and undone", (page, watched) => seasons(page, watched, service));

inPage("the public pages of a pool need no secret", (page) => everybody(page, service));

inPage("the API reference lists every operation and sends requests", (page) => api(page, service));

inPage("the leaderboard starts with the best player and links to the players", async (page) => {
  await logIn(page, service.url, "#/leaderboard");
  await heading(page, "Leaderboard");
  const ratings = (await page.locator("tbody tr td:nth-child(3)").allTextContents()).map((text) => Number(text.replace(",", "")));
  assert.ok(ratings.length > 1, "no player is ranked");
  assert.deepEqual(ratings, [...ratings].sort((one, other) => other - one));
  await page.locator("tbody a").first().click();
  await heading(page, "Player");
});

inPage("settings are shown, reloaded and copied for a bug report, and a change is marked in the charts", (page, watched) => settings(page, service, watched));

inPage("another pool has its own numbers", async (page) => {
  await logIn(page, service.url);
  await heading(page, "Overview default");
  await page.getByLabel("Pool").selectOption("arena");
  await heading(page, "Overview arena");
  assert.equal(await page.getByLabel("Pool").inputValue(), "arena");
  await page.goBack();
  await heading(page, "Overview default");
  assert.equal(await page.getByLabel("Pool").inputValue(), "default");
});

inPage("all pools are listed, those that need attention first", (page) => pools(page, service));

inPage("a player of another pool is found", (page) => elsewhere(page, service));

inPage("navigation and title change before the data is there", (page) => loading(page, service));

inPage("a refresh updates the page without disturbing the user", (page, watched) => refresh(page, watched, service));

inPage("interventions are counted, explained, and linked to players and rounds", (page) => interventions(page, service));

inPage("a live match shows its odds and why, and takes a request for a scramble", (page) => live(page, service));

inPage("all pages are accessible, in both themes, on wide and narrow screens", async (page) => {
  await logIn(page, service.url);
  for (const [width, height] of [[1280, 900], [360, 740]]) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      for (const [hash, title] of [...PAGES, [lastRound, "Round"]]) {
        await visit(page, hash, title);
        await checkAccess(page, `${title}, ${colorScheme}, ${width} pixels wide,`);
        await checkWidth(page, title);
      }
    }
  }
});

inPage("the name of an Object property is an unknown page", async (page) => {
  await logIn(page, service.url);
  for (const name of ["__proto__", "constructor", "toString"]) {
    await visit(page, `#/${name}`, "Page not found");
    await visit(page, "#/overview", "Overview");
  }
});

inPage("the theme can be chosen and is stored", async (page) => {
  await logIn(page, service.url);
  await heading(page, "Overview");
  const ground = () => page.evaluate(() => getComputedStyle(document.body.parentElement).backgroundColor);
  const light = await ground();
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("button", { name: "Dark theme" }).click();
  const dark = await ground();
  assert.notEqual(dark, light);
  await page.reload();
  await heading(page, "Overview");
  assert.equal(await ground(), dark, "the choice was lost");
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("button", { name: "Light theme" }).click();
  assert.equal(await ground(), light);
  assert.equal(await page.evaluate(() => localStorage.length), 0, "a choice is stored although it equals the system's theme");
});

inPage("everything works with the keyboard alone", (page) => keyboard(page, service));

inPage("on a phone no page is long, and the rounds list needs no scrolling sideways", (page) => phone(page, service, [...PAGES, [lastRound, "Round"]]));

inPage("the page is small and loads fast", (page) => measure(page, service));

if (process.env.RBS_PICTURE) {
  inPage("the screenshot for the README is taken", (page) => picture(page, service, process.env.RBS_PICTURE));
}
