// The interventions page: summary, chart and list.

import assert from "node:assert/strict";

import { checkAccess } from "./support/browser.mjs";
import { id } from "./support/rounds.mjs";
import { heading, inkOf, logIn, visit } from "./support/steps.mjs";

/** The page of the pool with the interventions, which has no other rounds. */
export const INTERVENTIONS = "#/interventions?pool=arena";

const CARDS = ["Interventions", "Moves recommended", "No solution", "Odds of the stronger team", "Close rounds", "Stronger team won"];

function ids(first, many) {
  return Array.from({ length: many }, (_, place) => id(first + place));
}

/** Makes an intervention of every kind on the server arena-1, and reports the round that follows. */
async function intervene(service) {
  const server = "arena-1";
  const lopsided = { server, team_a: ids(201, 4), team_b: ids(205, 2) };
  const immune = lopsided.team_a.map((player) => ({ id: player, immune: true }));
  for (const body of [
    { server, team_a: ids(201, 3), team_b: ids(204, 3) },
    { server, team_a: ids(211, 1), team_b: [], policy: "ut2004" },
    { ...lopsided, team_a: immune },
    { ...lopsided, modes: ["ffa"] },
    lopsided,
    lopsided,
  ]) {
    await service.ask("/v1/balance", body);
  }
  await service.count([{ round_id: "after-moves", server, winner: "draw", team_a: ids(202, 3), team_b: [...ids(205, 2), id(201)] }]);
}

export async function interventions(page, service) {
  await logIn(page, service.url, "#/interventions");
  await heading(page, "Interventions default");
  await page.getByText("calls POST /v1/balance").waitFor();
  await page.getByText("No interventions yet.").waitFor();
  await checkAccess(page, "the interventions of a pool without any");

  await intervene(service);
  await page.getByLabel("Pool").selectOption("arena");
  await heading(page, "Interventions arena");
  for (const name of CARDS) {
    const card = page.locator(".card").filter({ has: page.getByRole("heading", { name, exact: true }) });
    assert.match(await card.locator(".value").textContent(), /\d/, `the card ${name} has no number`);
    assert.ok((await card.locator(".explanation").textContent()).length > 40, `the card ${name} explains nothing`);
  }
  const value = (name) => page.locator(".card").filter({ has: page.getByRole("heading", { name, exact: true }) }).locator(".value").textContent();
  assert.equal(await value("Interventions"), "3");
  assert.equal(await value("Close rounds"), "1 of 1");
  assert.equal(await value("Stronger team won"), "50.0 %");

  const panel = page.locator(".panel").filter({ has: page.getByRole("heading", { name: "Interventions per day" }) });
  const plot = panel.getByRole("slider");
  assert.match(await plot.getAttribute("aria-label"), /7 days: 3 interventions/);
  await plot.scrollIntoViewIfNeeded();
  assert.ok((await inkOf(plot)) > 1000, "the chart is empty");
  await panel.getByText("Show as table").click();
  assert.equal(await panel.locator("tbody tr").count(), 7);
  await page.getByRole("row", { name: "team sizes differ too much 2 66.7 %" }).waitFor();
  await page.getByRole("row", { name: "ut2004 1 33.3 %" }).waitFor();

  const moved = page.getByRole("row").filter({ hasText: "to team B" });
  await moved.filter({ hasText: "asked 2 times" }).filter({ hasText: "Sizes differ by 2 players; 2 are too many." }).waitFor();
  await moved.filter({ hasText: "69.7 % → 50.0 %" }).filter({ hasText: "Draw" }).waitFor();
  await page.getByRole("cell", { name: "No better teams found for 4 v 2" }).waitFor();
  await page.getByRole("cell", { name: /^Bots 0 v 0 → / }).waitFor();
  await checkAccess(page, "the interventions");

  await moved.getByRole("link", { name: "after-moves" }).click();
  await heading(page, "Round");
  await page.goBack();
  await heading(page, "Interventions arena");
  await moved.getByRole("link", { name: id(201) }).click();
  await heading(page, `Player ${id(201)}`);
  await page.goBack();
  await heading(page, "Interventions arena");
  await page.getByRole("link", { name: "arena-1" }).first().click();
  await page.getByRole("heading", { name: "Latest interventions on arena-1" }).waitFor();
  assert.equal(await page.getByRole("table", { name: "Latest interventions" }).locator("tbody tr").count(), 3);
  await page.getByRole("link", { name: "Show all servers" }).click();
  await page.getByRole("heading", { name: "Latest interventions", exact: true }).waitFor();
  await page.getByRole("link", { name: "Today" }).click();
  await panel.getByRole("slider", { name: /1 day: 3 interventions/ }).waitFor();
  await visit(page, "#/interventions?days=90", "Interventions default");
}
