// The player list and the forms for names: search, sorting, alias, and forgetting a player.

import assert from "node:assert/strict";

import { checkAccess } from "./support/browser.mjs";
import { id } from "./support/rounds.mjs";
import { columnTexts, heading, logIn, visit } from "./support/steps.mjs";

const RAMONA = id(61);

export async function people(page, watched, service) {
  const names = [[RAMONA, "Ramona <b>"], [id(62), "Ram"], [id(63), "ＷＩＤＥ 🎉"]];
  await service.ask("/v1/players", { server: "public-1", players: names.map(([player, name]) => ({ id: player, name })) });
  await logIn(page, service.url);
  await heading(page, "Overview");

  const field = page.getByLabel("Player by name or Steam ID");
  await field.pressSequentially("ramo");
  await page.locator(`#search-found option[value="Ramona <b> · ${RAMONA}"]`).waitFor({ state: "attached" });
  await field.fill(`Ramona <b> · ${RAMONA}`);
  await heading(page, "Player Ramona <b>");

  await field.fill("ram");
  await field.press("Enter");
  await heading(page, "Players");
  const found = page.getByRole("group", { name: "Players", exact: true }).locator("tbody tr");
  await found.nth(1).waitFor();
  assert.deepEqual((await found.locator("th").allTextContents()).sort(), ["Ram", "Ramona <b>"]);

  await visit(page, "#/players", "Players");
  await page.getByRole("link", { name: "players at the lowest rating" }).waitFor();
  await page.getByLabel("Sort by").selectOption({ label: "most rounds" });
  await page.waitForURL(/sort=-rounds/);
  await heading(page, "Players");
  const rounds = (await columnTexts(page, "Rounds")).map((text) => Number(text.replace(",", "")));
  assert.ok(rounds.length > 10, `only ${rounds.length} players are listed`);
  assert.deepEqual(rounds, [...rounds].sort((one, other) => other - one));
  await page.getByRole("link", { name: "Next page" }).click();
  await page.getByRole("link", { name: "Previous page" }).click();
  await page.getByLabel("Sort by").selectOption({ label: "largest gain in 24 hours" });
  await page.waitForURL(/sort=-change_1_day/);
  await found.first().waitFor();
  await page.getByLabel("Show only").selectOption({ label: "hidden" });
  await page.waitForURL(/filter=hidden/);
  await heading(page, "Players");
  const states = await columnTexts(page, "Status");
  assert.ok(states.every((text) => text.includes("hidden")), `${states}`);

  await visit(page, `#/player/${RAMONA}`, "Player Ramona <b>");
  const dialog = page.getByRole("dialog");
  const alias = page.getByRole("form", { name: "Alias" });
  await alias.getByLabel("Alias (leave empty to remove it)").fill("Mona");
  await alias.getByLabel("Reason").fill("known by this name for years");
  await alias.getByRole("button").click();
  await dialog.getByRole("row", { name: "Alias none Mona" }).waitFor();
  await checkAccess(page, "the confirmation before an alias is set");
  await dialog.getByRole("button", { name: "Set the alias" }).click();
  await heading(page, "Player Mona");

  const forget = page.getByRole("form", { name: "Forget", exact: true });
  await forget.getByLabel("Hide the ID too").check();
  await forget.getByLabel("Reason").fill("asked to be forgotten");
  await forget.getByRole("button").click();
  await dialog.getByRole("button", { name: "Forget the player" }).click();
  await page.getByRole("form", { name: "Store names again" }).waitFor();
  assert.ok(!(await page.locator("h1").textContent()).includes("Mona"), "the alias is still there");
  await visit(page, "#/players?search=mona", "Players");
  await page.getByText("No players found. Search for a part of the name").waitFor();
  await watched.allowing([/422/], async () => {
    await visit(page, "#/players?search=https%3A%2F%2Fsteamcommunity.com%2Fid%2Fgaben", "Players");
    await page.getByText("links to a profile by its custom name").waitFor();
  });
}
