// The automatic refresh: it updates the page without disturbing the user, can be paused, and survives an outage.

import assert from "node:assert/strict";

import { checkAccess } from "./support/browser.mjs";
import { id, ROUNDS } from "./support/rounds.mjs";
import { heading, logIn } from "./support/steps.mjs";

export async function refresh(page, watched, service) {
  await page.clock.install();
  await logIn(page, service.url);
  await heading(page, "Overview");
  const rounds = page.locator(".card", { hasText: "Rounds" }).first().locator(".value");
  await rounds.filter({ hasText: String(ROUNDS) }).waitFor();
  const table = page.locator("details.figures").first();
  await table.locator("summary").click();
  const suggested = page.waitForResponse(/search=STEAM_0/);
  await page.getByLabel("Player by name or Steam ID").fill("STEAM_0:");
  await suggested;
  await page.evaluate(() => scrollTo(0, 900));
  const before = await page.evaluate(() => scrollY);

  const again = { round_id: "made-up:641", map: "cp_foundry", server: "public-1", winner: "a", team_a: [id(1), id(2)], team_b: [id(3), id(4)] };
  await service.count([again]);
  await page.clock.fastForward(16_000);
  await rounds.filter({ hasText: String(ROUNDS + 1) }).waitFor();
  assert.equal(await table.getAttribute("open"), "", "the table was closed");
  assert.equal(await page.getByLabel("Player by name or Steam ID").inputValue(), "STEAM_0:");
  assert.equal(await page.evaluate(() => document.activeElement.id), "search", "the focus was lost");
  assert.equal(await page.evaluate(() => scrollY), before, "the page has moved");

  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.getByRole("button", { name: "Pause updates" }).click();
  await page.clock.fastForward(120_000);
  assert.deepEqual(asked, [], "the page sends requests although updates are paused");
  const answered = page.waitForResponse(/quality/);
  await page.getByRole("button", { name: "Pause updates" }).click();
  await answered;

  await watched.allowing([/Failed to fetch|ERR_INTERNET_DISCONNECTED|request failed/], async () => {
    await page.context().setOffline(true);
    await page.clock.fastForward(16_000);
    await page.locator("#banner").filter({ hasText: "Cannot update this page" }).filter({ hasText: "The data shown is from" }).waitFor();
    assert.match(await rounds.textContent(), new RegExp(String(ROUNDS + 1)));
    await checkAccess(page, "the page while the service is away");
    await page.context().setOffline(false);
    await page.clock.fastForward(16_000);
    await page.locator("#banner").waitFor({ state: "hidden" });
  });
}
