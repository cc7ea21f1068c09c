// The overview: every card, chart and table is there, drawn, and accessible.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

import { ROUNDS } from "./support/rounds.mjs";
import { heading, inkOf, logIn, visit } from "./support/steps.mjs";

const CARDS = ["Rounds", "Players this week", "Uneven matches (recent)", "Favourite won (recent)", "Brier score (recent)", "Log loss (recent)", "Theta (Θ)"];

/** The cards without a figure, because the generated rounds have no scoreboard and nobody waits. */
const UNKNOWN = ["One-sided rounds", "Waiting for a turn"];

/** The charts, with the minimum number of rows of their tables. */
const CHARTS = [
  ["Brier score over time", 100],
  ["Log loss over time", 100],
  ["Calibration", 10],
  ["Ratings", 3],
  ["How ratings settle", 3],
  ["Average rating", 60],
  ["Rounds per hour", 40],
  ["Rounds per hour by server", 4],
];

const TABLES = [["By map", 5], ["By server", 4], ["By team size", 5], ["What moved the average rating", 8], ["Latest rounds", 12]];

export async function overview(page, service) {
  await logIn(page, service.url);
  await heading(page, "Overview");
  await page.getByText("Prediction figures").click();
  for (const name of [...CARDS, ...UNKNOWN]) {
    const card = page.locator(".card").filter({ has: page.getByRole("heading", { name, exact: true }) });
    assert.match(await card.locator(".value").textContent(), UNKNOWN.includes(name) ? /^–$/ : /\d/, `the card ${name} shows a wrong number`);
    assert.ok((await card.locator(".explanation").textContent()).length > 20, `the card ${name} explains nothing`);
  }
  await page.locator(".card .value", { hasText: String(ROUNDS) }).waitFor();

  for (const [name, rows] of CHARTS) {
    const panel = page.locator(".panel").filter({ has: page.getByRole("heading", { name, exact: true }) });
    const plot = panel.getByRole("slider");
    assert.ok((await plot.getAttribute("aria-label")).length > 20, `the chart ${name} has no description for screen readers`);
    await plot.scrollIntoViewIfNeeded();
    assert.ok((await inkOf(plot)) > 1000, `the chart ${name} is empty`);
    await panel.getByText("Show as table").click();
    const found = await panel.locator("tbody tr").count();
    assert.ok(found >= rows, `the table of ${name} has ${found} rows`);
    await readOff(page, plot, name);
    await readByKeys(page, plot, name);
  }

  const bias = page.locator(".bias").getByRole("img");
  assert.equal(await bias.count(), 3);
  assert.match(await bias.first().getAttribute("aria-label"), /plus or minus/);

  for (const [caption, rows] of TABLES) {
    const found = await page.getByRole("table", { name: caption, exact: true }).locator("tbody tr").count();
    assert.ok(found >= rows, `the table "${caption}" has ${found} rows`);
  }
}

/** Zooming with the mouse and the keys, the shared cross-hair, and saving. */
export async function charts(page, service) {
  await logIn(page, service.url);
  await heading(page, "Overview");
  const plot = (name) => page.locator(".panel").filter({ has: page.getByRole("heading", { name, exact: true }) }).getByRole("slider");
  const brier = plot("Brier score over time");
  const others = plot("Log loss over time");
  const over = brier.locator(".u-over");
  await over.scrollIntoViewIfNeeded();
  const { x, y, width } = await over.boundingBox();

  // All time charts show the same point.
  await page.mouse.move(x + width / 3, y + 60);
  const said = await brier.locator(".readout").textContent();
  assert.match(await others.locator(".readout").textContent(), new RegExp(`^${said.slice(0, "2026-01-01 00:00".length)}`));

  const range = (chart) => chart.evaluate((element) => [element.chart.scales.x.min, element.chart.scales.x.max]);
  const before = await range(brier);
  await page.mouse.move(x + width / 3, y + 60);
  await page.mouse.down();
  await page.mouse.move(x + width / 2, y + 60, { steps: 4 });
  await page.mouse.up();
  const after = await range(brier);
  assert.ok(after[0] > before[0] && after[1] < before[1], `a drag does not zoom: ${before} to ${after}`);
  assert.deepEqual(await range(others), after, "the other charts do not follow the zoom");
  const all = page.getByRole("button", { name: "Show all of Brier score over time" });
  await all.click();
  assert.deepEqual(await range(brier), before);
  await all.waitFor({ state: "hidden" });
  await brier.focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("+");
  assert.notDeepEqual(await range(brier), before);
  await over.dblclick({ position: { x: width / 2, y: 50 } });
  assert.deepEqual(await range(brier), before, "a double click does not reset the zoom");

  const save = async (name) => {
    const started = page.waitForEvent("download");
    await page.getByRole("button", { name, exact: true }).click();
    const file = await started;
    return [file.suggestedFilename(), await readFile(await file.path())];
  };
  const [name, picture] = await save("PNG of Calibration");
  assert.equal(name, "rbs-calibration.png");
  assert.equal(picture.subarray(1, 4).toString(), "PNG");
  const [, figures] = await save("CSV of Calibration");
  const lines = figures.toString().trimEnd().split("\r\n");
  assert.match(lines[0], /Predicted,Average prediction/);
  assert.equal(lines.length, 11);
  assert.match(lines[5], /^40 % to 50 %,\d+\.\d,/);
  await sortAndSave(page, save);
}

/** A table can be sorted by column, keeps its order over a refresh, and is saved in this order. */
async function sortAndSave(page, save) {
  const table = page.getByRole("table", { name: "By map", exact: true });
  const rounds = async () => (await table.locator("tbody tr td:nth-child(2)").allTextContents()).map(Number);
  const shown = await rounds();
  await table.getByRole("button", { name: "Rounds" }).click();
  assert.deepEqual(await rounds(), [...shown].sort((one, other) => other - one));
  assert.equal(await table.getByRole("columnheader", { name: "Rounds" }).getAttribute("aria-sort"), "descending");
  await table.getByRole("button", { name: "Rounds" }).click();
  const sorted = await rounds();
  assert.deepEqual(sorted, [...shown].sort((one, other) => one - other));
  const answered = page.waitForResponse(/quality\?/);
  await page.getByRole("button", { name: "Pause updates" }).click();
  await page.getByRole("button", { name: "Pause updates" }).click();
  await answered;
  await page.locator("main:not([aria-busy])").waitFor();
  assert.deepEqual(await rounds(), sorted, "a refresh lost the order");
  const [, file] = await save("CSV of By map");
  assert.deepEqual(file.toString().trimEnd().split("\r\n").slice(1).map((line) => Number(line.split(",")[1])), sorted);
  await table.getByRole("button", { name: "Rounds" }).click();
  assert.deepEqual(await rounds(), shown);
}

/** Fails each request of the overview in turn with a 503, and then all of them. */
export async function unanswered(page, watched, service) {
  const parts = [
    [/\/quality\?/, "Are the predictions accurate?"],
    [/\/quality\/history/, "Prediction quality over time"],
    [/\/admin\/models/, "Models"],
    [/\/activity/, "Rounds per hour"],
    [/\/admin\/rounds/, "Latest rounds"],
    [/\/admin\/rebuild/, "Rating recalculations in progress"],
    [/\/admin\/imports/, "Imports in progress"],
    [/\/admin\/seasons/, "Season"],
    [/\/admin\/audit/, "Changes by admins"],
    [/\/admin\/refusals/, "Refused requests"],
    [/\/admin\/servers/, "Servers"],
  ];
  const busy = { status: 503, contentType: "application/problem+json", body: JSON.stringify({ detail: "the database does not answer" }) };
  const refuse = (route) => route.fulfill(busy);
  await logIn(page, service.url);
  await heading(page, "Overview");
  await watched.allowing([/503/], async () => {
    for (const [path, name] of parts) {
      await page.route(path, refuse);
      await visit(page, "#/leaderboard", "Leaderboard");
      await visit(page, "#/overview", "Overview");
      const failed = page.locator(".panel").filter({ hasText: "Unavailable: the database does not answer." });
      assert.deepEqual(await failed.getByRole("heading").allTextContents(), [name]);
      const overTime = await page.getByRole("heading", { name: "Brier score over time" }).count();
      assert.equal(overTime, name === "Prediction quality over time" ? 0 : 1, `without "${name}"`);
      const left = await page.locator(".panel").count();
      assert.ok(left >= 5, `without "${name}" only ${left} panels are left`);
      assert.equal(await page.locator("#banner").isVisible(), false, "the page shows an error for the whole page");
      await page.unroute(path, refuse);
    }
    await visit(page, "#/leaderboard", "Leaderboard");
    for (const [path] of parts) {
      await page.route(path, refuse);
    }
    await visit(page, "#/overview", "RBS does not respond");
    await page.unrouteAll();
  });
}

/** The arrow keys select the points of a chart one by one. */
async function readByKeys(page, plot, name) {
  await plot.focus();
  const read = [];
  for (const key of ["Home", "ArrowRight", "ArrowLeft"]) {
    await page.keyboard.press(key);
    read.push(await plot.getAttribute("aria-valuetext"));
  }
  assert.match(read[0], /\d/, `the chart ${name} shows no value for its first point`);
  assert.notEqual(read[1], read[0], `the arrow key does not move in the chart ${name}`);
  assert.equal(read[2], read[0]);
  await page.keyboard.press("Escape");
  assert.equal(await plot.locator(".readout").isVisible(), false);
}

/** The pointer selects a point of a chart. */
async function readOff(page, plot, name) {
  const over = plot.locator(".u-over");
  const { width, height } = await over.boundingBox();
  await over.hover({ position: { x: width / 2, y: height / 2 } });
  const said = await plot.locator(".readout").textContent();
  assert.match(said, /\d/, `the chart ${name} shows no value for the point under the pointer`);
  await page.mouse.move(0, 0);
}
