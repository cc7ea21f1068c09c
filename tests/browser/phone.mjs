// The pages on a phone: their heights, the folds, and the columns of the round list.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

import { checkAccess } from "./support/browser.mjs";
import { SECRET } from "./support/service.mjs";
import { heading, logIn, visit } from "./support/steps.mjs";

/** Maximum height of a page in pixels before something is unfolded. */
const HIGHEST = 3000;

/** Sends rounds that the service refuses, for the longest lists of the overview. */
async function refusedRounds(service) {
  for (let number = 0; number < 24; number += 1) {
    const { status } = await fetch(`${service.url}/v1/update`, {
      method: "POST",
      headers: { authorization: `Bearer ${SECRET}`, "content-type": "application/json" },
      body: JSON.stringify({ round_id: `odd-${number}`, server: `public-${1 + (number % 3)}`, winner: "a", team_a: [], team_b: [`player ${number}`] }),
    });
    assert.equal(status, 422);
  }
}

export async function phone(page, service, pages) {
  await refusedRounds(service);
  await page.clock.install();
  await logIn(page, service.url);
  await heading(page, "Overview");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  for (const [hash, title] of pages) {
    await visit(page, hash, title);
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    assert.ok(height < HIGHEST, `${hash} is ${height} pixels high`);
  }
  await roundList(page);
  await folds(page);
  await emptyColumns(page);
}

/** The winner and the odds are visible without scrolling sideways. The filters and the last rows are behind a click. */
async function roundList(page) {
  await visit(page, "#/rounds", "Rounds");
  for (const name of ["Ended", "Map", "Winner", "Odds, team A"]) {
    const { x, width } = await page.getByRole("columnheader", { name }).boundingBox();
    assert.ok(x >= 0 && x + width <= 390, `the column ${name} ends at ${x + width}`);
  }
  const rows = page.locator("tbody tr");
  assert.equal(await rows.count(), 10);
  const all = page.getByRole("button", { name: "Show all 50 rows" });
  await all.focus();
  await page.keyboard.press("Enter");
  assert.equal(await rows.count(), 50);
  const fewer = page.getByRole("button", { name: "Show only 10 rows" });
  assert.ok(await fewer.evaluate((button) => button === document.activeElement), "the focus was lost");
  await fewer.click();

  const field = page.getByLabel("Server", { exact: true });
  assert.equal(await field.isVisible(), false);
  await page.getByText("Filters", { exact: true }).click();
  await field.fill("public-1");
  await field.press("Enter");
  await page.getByText("Filters, 1 set").waitFor();
  assert.ok(await field.isVisible(), "filters that are set are folded");
}

/** An unfolded panel and the focus survive a refresh. */
async function folds(page) {
  await visit(page, "#/overview", "Overview");
  const panel = page.locator("details.panel", { hasText: "Latest rounds" });
  const summary = panel.locator("summary").first();
  assert.equal(await panel.getByRole("table").isVisible(), false);
  await summary.focus();
  await page.keyboard.press("Enter");
  await panel.getByRole("table").waitFor();
  const answered = page.waitForResponse(/quality\?/);
  await page.clock.fastForward(16_000);
  await answered;
  await page.locator("main:not([aria-busy])").waitFor();
  assert.ok(await panel.getByRole("table").isVisible(), "a refresh folded the panel");
  assert.ok(await summary.evaluate((element) => element === document.activeElement), "the focus was lost");
  await checkAccess(page, "an unfolded panel");

  await visit(page, "#/leaderboard", "Leaderboard");
  await page.locator("tbody a").first().click();
  await heading(page, "Player");
  await page.getByRole("button", { name: "Change this player" }).click();
  assert.equal(await page.evaluate(() => document.activeElement.name), "rating");
}

/** A column without values is left out of the table, and is in its CSV file. */
async function emptyColumns(page) {
  await visit(page, "#/settings", "Settings");
  const secrets = page.locator(".table", { has: page.getByRole("table", { name: "Accepted secrets" }) });
  assert.equal(await secrets.getByRole("columnheader", { name: "Name" }).count(), 0);
  const started = page.waitForEvent("download");
  await secrets.getByRole("button", { name: "CSV" }).click();
  const text = await readFile(await (await started).path(), "utf8");
  assert.match(text, /^\ufeffSecret,Name,/);
}
