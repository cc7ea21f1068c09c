// Every figure of the overview: there, drawn, and readable without the drawing.

import assert from "node:assert/strict";

import { ROUNDS } from "./rounds.mjs";
import { heading, inkOf, logIn } from "./steps.mjs";

const CARDS = ["Rounds", "Players", "Brier score, window", "Log loss, window", "Favourite won, window", "Θ, the logistic scale"];

/** The charts, with how many rows their tables have at least. */
const CHARTS = [
  ["Brier score over time", 100],
  ["Log loss over time", 100],
  ["Calibration", 10],
  ["Ratings", 3],
  ["K and convergence by rounds played", 3],
  ["Rounds per hour", 40],
];

const TABLES = [["By map", 5], ["By server", 4], ["By team size", 5], ["The last rounds", 12], ["The slowest requests", 1]];

export async function overview(page, service) {
  await logIn(page, service.url);
  await heading(page, "Overview");
  for (const name of CARDS) {
    const card = page.locator(".card").filter({ has: page.getByRole("heading", { name, exact: true }) });
    assert.match(await card.locator(".value").textContent(), /\d/, `the card ${name} has no figure`);
    assert.ok((await card.locator(".explanation").textContent()).length > 20, `the card ${name} explains nothing`);
  }
  await page.locator(".card .value", { hasText: String(ROUNDS) }).waitFor();

  for (const [name, rows] of CHARTS) {
    const panel = page.locator(".panel").filter({ has: page.getByRole("heading", { name, exact: true }) });
    const plot = panel.getByRole("img");
    assert.ok((await plot.getAttribute("aria-label")).length > 20, `the chart ${name} says nothing to those who do not see it`);
    await plot.scrollIntoViewIfNeeded();
    assert.ok((await inkOf(plot)) > 1000, `the chart ${name} is empty`);
    await panel.getByText("The same as a table").click();
    const found = await panel.locator("tbody tr").count();
    assert.ok(found >= rows, `the table of ${name} has ${found} rows`);
    await readOff(page, plot, name);
  }

  const bias = page.locator(".bias").getByRole("img");
  assert.equal(await bias.count(), 3);
  assert.match(await bias.first().getAttribute("aria-label"), /plus or minus/);
  const squares = await page.locator(".hours rect").count();
  assert.equal(squares % 48, 0, "not every server has a square for each hour");
  assert.ok(squares >= 48 * 4);

  for (const [caption, rows] of TABLES) {
    const found = await page.getByRole("table", { name: caption, exact: true }).locator("tbody tr").count();
    assert.ok(found >= rows, `the table "${caption}" has ${found} rows`);
  }
}

/** The pointer reads a point off the chart. */
async function readOff(page, plot, name) {
  const over = plot.locator(".u-over");
  const { width, height } = await over.boundingBox();
  await over.hover({ position: { x: width / 2, y: height / 2 } });
  const said = await plot.locator(".readout").textContent();
  assert.match(said, /\d/, `the chart ${name} says nothing of the point under the pointer`);
  await page.mouse.move(0, 0);
}
