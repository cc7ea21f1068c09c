// Every figure of the overview: there, drawn, and readable without the drawing.

import assert from "node:assert/strict";

import { ROUNDS } from "./rounds.mjs";
import { heading, inkOf, logIn, visit } from "./steps.mjs";

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

/** Each request of the overview in turn is answered with a 503, and then all of them. */
export async function unanswered(page, watched, service) {
  const parts = [
    [/\/quality\?/, "Quality of the predictions"],
    [/\/quality\/history/, "Figures over time"],
    [/\/admin\/models/, "Models"],
    [/\/activity/, "Rounds per hour"],
    [/\/admin\/rounds/, "Last rounds"],
    [/\/admin\/requests/, "Requests to this instance"],
    [/\/admin\/rebuild/, "Voids and rebuilds under way"],
    [/\/admin\/imports/, "Imports under way"],
  ];
  const busy = { status: 503, contentType: "application/problem+json", body: JSON.stringify({ detail: "the database does not answer" }) };
  const refuse = (route) => route.fulfill(busy);
  await logIn(page, service.url);
  await heading(page, "Overview");
  await watched.allowing([/503/], async () => {
    for (const [path, name] of parts) {
      await page.route(path, refuse);
      await visit(page, "#/audit", "Audit trail");
      await visit(page, "#/overview", "Overview");
      const failed = page.locator(".panel").filter({ hasText: "Not to be had: the database does not answer." });
      assert.deepEqual(await failed.getByRole("heading").allTextContents(), [name]);
      const overTime = await page.getByRole("heading", { name: "Brier score over time" }).count();
      assert.equal(overTime, name === "Figures over time" ? 0 : 1, `without "${name}"`);
      const left = await page.locator(".panel").count();
      assert.ok(left >= 5, `without "${name}" only ${left} panels are left`);
      assert.equal(await page.locator("#banner").isVisible(), false, "the whole page is said to have failed");
      await page.unroute(path, refuse);
    }
    await visit(page, "#/audit", "Audit trail");
    for (const [path] of parts) {
      await page.route(path, refuse);
    }
    await visit(page, "#/overview", "The service does not answer");
    await page.unrouteAll();
  });
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
