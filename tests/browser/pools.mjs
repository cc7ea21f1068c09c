// The list of all pools, players of other pools, and a page that is slow to load.

import assert from "node:assert/strict";

import { checkAccess } from "./support/browser.mjs";
import { id } from "./support/rounds.mjs";
import { SECRET } from "./support/service.mjs";
import { checkWidth, heading, logIn, visit } from "./support/steps.mjs";

const BOB = id(900);

export async function pools(page, service) {
  await logIn(page, service.url, "");
  await heading(page, "Overview default");
  await visit(page, "#/overview?pool=arena", "Overview arena");
  await page.getByText("The pool arena has no rounds yet.").waitFor();
  assert.equal(await page.getByText("Connect your first server").count(), 0, "the page explains the first steps although there are rounds");
  await page.locator("main").getByRole("link", { name: "default" }).click();
  await heading(page, "Overview default");

  await service.count([{ server: "arena-1", round_id: "bob", winner: "a", team_a: [{ id: BOB, name: "Bob" }], team_b: [id(901)] }]);
  const refused = await fetch(`${service.url}/v1/update`, {
    method: "POST",
    headers: { authorization: `Bearer ${SECRET}`, "content-type": "application/json" },
    body: JSON.stringify({ round_id: "odd", server: "arena-1", winner: "red", team_a: [], team_b: [] }),
  });
  assert.equal(refused.status, 422);
  await page.goto("about:blank");
  await page.goto(service.url);
  await heading(page, "Pools");
  assert.match(page.url(), /#\/pools$/);
  const arena = page.getByRole("row", { name: "arena" });
  const [state, , rounds, players] = await arena.locator("td").allTextContents();
  assert.equal(state, "Too few rounds to judge the predictions: 499 more rounds are needed. 1 server needs attention.");
  assert.deepEqual([rounds, players], ["1", "2"]);
  assert.ok((await page.locator("#pool option").allTextContents()).includes("⚠ arena"), "the list of pools does not mark a pool that needs attention");
  await checkAccess(page, "the list of pools");
  await page.setViewportSize({ width: 360, height: 740 });
  await checkWidth(page, "the list of pools");
  await page.setViewportSize({ width: 1280, height: 900 });

  await page.getByRole("link", { name: "1 server needs attention" }).last().click();
  await heading(page, "Servers");
  await page.goBack();
  await heading(page, "Pools");
  await page.getByRole("link", { name: "arena", exact: true }).click();
  await heading(page, "Overview arena");
  await page.getByRole("link", { name: "RBS" }).click();
  await heading(page, "Pools");
  await page.getByLabel("Pool", { exact: true }).selectOption("default");
  await heading(page, "Overview default");
  await page.getByLabel("Pool", { exact: true }).selectOption("");
  await heading(page, "Pools");
  await visit(page, "#/?pool=arena", "Overview arena");
}

/** The search in the header finds players of other pools, and says so. */
export async function elsewhere(page, service) {
  await logIn(page, service.url);
  const field = page.getByLabel("Player by name or Steam ID");
  const suggested = `Bob in pool arena · ${BOB}`;
  await field.pressSequentially("bob");
  await page.locator(`#search-found option[value="${suggested}"]`).waitFor({ state: "attached" });
  for (const text of [suggested, BOB]) {
    await visit(page, "#/overview", "Overview default");
    await field.fill(text);
    await field.press("Enter");
    await heading(page, "Player Bob");
    assert.equal(await page.getByLabel("Pool", { exact: true }).inputValue(), "arena");
  }
  await visit(page, "#/players?search=bob", "Players default");
  await page.getByRole("listitem").filter({ hasText: "Bob is in pool arena" }).getByRole("link").click();
  await heading(page, "Player Bob");
}

/** Navigation and title change at once, and a page whose data is slow says that it loads. */
export async function loading(page, service) {
  await logIn(page, service.url);
  await heading(page, "Overview");
  let answer;
  const held = new Promise((resolve) => {
    answer = resolve;
  });
  await page.route(/\/v1\/admin\/players\?/, async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole("link", { name: "Players", exact: true }).click();
  await page.locator("a[aria-current=page]", { hasText: "Players" }).waitFor();
  assert.equal(await page.title(), "Players · RBS");
  await page.getByRole("status").filter({ hasText: "Loading…" }).waitFor();
  await checkAccess(page, "a page that loads");
  answer();
  await heading(page, "Players default");
  assert.equal(await page.getByText("Loading…").count(), 0);
}
