// The settings page, and the chart marks of changed settings.

import assert from "node:assert/strict";

import { checkAccess } from "./support/browser.mjs";
import { ADMIN_SECRET, SECRET } from "./support/service.mjs";
import { columnTexts, heading, logIn, visit } from "./support/steps.mjs";

export async function settings(page, service, watched) {
  await logIn(page, service.url, "#/settings");
  await heading(page, "Settings default");
  assert.deepEqual(await columnTexts(page.getByRole("table", { name: "Accepted secrets" }), "Allowed for"), ["admins", "game servers"]);
  await page.getByRole("table", { name: "Common settings" }).getByRole("row", { name: "rating.window" }).filter({ hasText: "500" }).waitFor();
  const own = page.getByRole("table", { name: "Pool default" }).getByRole("row", { name: "pools.default.shadow_rounds" });
  assert.equal(await own.isVisible(), false, "the settings of a pool are not folded");
  await page.getByText(/^Pool default \(\d+ of/).click();
  await own.filter({ hasText: "rbs.toml" }).waitFor();
  const filter = page.getByLabel("Show only settings that contain");
  await filter.pressSequentially("arena.Shadow");
  await page.getByText(/^1 of \d+ settings/).waitFor();
  const found = page.locator("#settings-found tbody th");
  assert.deepEqual(await found.allTextContents(), ["pools.arena.shadow_rounds"]);
  assert.equal(await found.isVisible(), true, "a found setting is folded");
  const history = page.getByRole("table", { name: "Changes to the rating parameters, newest first" });
  await history.getByRole("row", { name: "initial values" }).waitFor();

  await page.getByRole("button", { name: "Reload settings" }).click();
  await page.getByText("Settings reloaded. Nothing has changed.").waitFor();
  assert.deepEqual(await found.allTextContents(), ["pools.arena.shadow_rounds"], "a refresh lost the filter");
  await filter.fill("no such setting");
  await page.getByText(/^0 of \d+ settings/).waitFor();
  await page.getByRole("button", { name: "Copy diagnostics" }).click();
  const text = page.getByLabel("Diagnostics for a bug report");
  await text.waitFor();
  const shown = await text.inputValue();
  for (const part of ["RBS ", "SQLite ", "1 admin, 1 game", "default: synelo;", "pools.arena.shadow_rounds = 5", "Most recent failed requests"]) {
    assert.ok(shown.includes(part), `the diagnostics lack ${part}:\n${shown}`);
  }
  assert.ok(!shown.includes(SECRET) && !shown.includes(ADMIN_SECRET), shown);
  await checkAccess(page, "the settings with diagnostics");
  await watched.allowing([/503/], async () => {
    const problem = { status: 503, contentType: "application/problem+json", body: JSON.stringify({ detail: "the database does not answer" }) };
    await page.route(/\/v1\/admin\/settings$/, (route) => route.fulfill(problem));
    await visit(page, "#/overview", "Overview");
    await page.getByRole("heading", { name: "Settings changes" }).waitFor();
    await page.getByRole("heading", { name: "Brier score over time" }).waitFor();
    await page.unrouteAll();
  });
  await visit(page, "#/rounds", "Rounds");
  await marks(page, service);
}

/** A setting that changed between two rounds is marked between them. */
async function marks(page, service) {
  const middle = new Date(service.rounds[Math.floor(service.rounds.length * 0.9)].ended_at * 1000).toISOString();
  const period = { began_at: middle, position: 500, changes: [{ parameter: "theta", before: 1200, after: 2400 }] };
  await page.route(/\/v1\/admin\/settings$/, async (route) => {
    const real = await route.fetch();
    const answer = await real.json();
    answer.pools.find(({ pool }) => pool === "default").history.unshift(period);
    await route.fulfill({ response: real, json: answer });
  });
  await visit(page, "#/overview", "Overview");
  const chart = page.locator(".panel", { hasText: "Brier score over time" }).first();
  await chart.getByText("Show as table").click();
  await chart.getByRole("row", { name: "Settings: theta 1200 → 2400" }).waitFor();
  await visit(page, `#/player/${service.rounds.at(-1).team_a[0]}`, "Player");
  const course = page.locator(".panel", { hasText: "Rating over time" }).first();
  await course.getByText("Show as table").click();
  await course.getByRole("row", { name: "Settings: theta 1200 → 2400" }).waitFor();
  await visit(page, "#/settings", "Settings");
  await page.getByRole("row", { name: "theta 1200 → 2400" }).waitFor();
}
