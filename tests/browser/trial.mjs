// The scramble preview, and the correction of a round's winner.

import assert from "node:assert/strict";

import { checkAccess } from "./support/browser.mjs";
import { id } from "./support/rounds.mjs";
import { heading, logIn, visit } from "./support/steps.mjs";

export async function trial(page, service) {
  await service.ask("/v1/players", { server: "public-1", players: [{ id: id(71), name: "Quentin" }] });
  await logIn(page, service.url, "#/scramble?server=public-2");
  await heading(page, "Scramble public-2");
  const form = page.getByRole("form", { name: "Preview a scramble" });
  const there = form.getByLabel("Players: Steam IDs");
  assert.ok((await there.inputValue()).split("\n").length >= 7, "the players of the last round are not filled in");
  await there.fill([1, 2, 3, 4, 5, 6, 7, 8].map(id).join("\n"));
  const name = form.getByLabel("Add a player by name");
  await name.pressSequentially("quen");
  await page.locator(`#trial-add-found option[value="Quentin · ${id(71)}"]`).waitFor({ state: "attached" });
  await name.fill(`Quentin · ${id(71)}`);
  assert.ok((await there.inputValue()).endsWith(`\nQuentin · ${id(71)}`));
  await form.getByLabel("Parties, one per line").fill(`${id(1)} ${id(2)}`);
  await form.getByLabel("Rating points by which teams may be less even, to respect parties and other wishes").fill("300");
  await form.getByRole("button", { name: "Show splits" }).click();
  const result = page.getByRole("region", { name: "Preview", exact: true });
  await result.getByRole("heading", { name: "4 v 4" }).first().waitFor();
  await result.getByRole("link", { name: "Quentin" }).first().waitFor();
  await result.getByText("Cost of wishes").first().waitFor();
  await checkAccess(page, "a scramble preview");

  await form.getByLabel("Should play").fill("nobody");
  await form.getByRole("button", { name: "Show splits" }).click();
  await form.getByRole("alert").filter({ hasText: '"nobody" is not a Steam ID' }).waitFor();
}

export async function correction(page, service, last, lastRound) {
  await logIn(page, service.url, lastRound);
  await heading(page, "Round");
  const other = last.winner === "a" ? "Team B won" : "Team A won";
  const form = page.getByRole("form", { name: "Correct the winner" });
  const right = async (winner, reason) => {
    await form.getByLabel("Actual result").selectOption({ label: winner });
    await form.getByLabel("Why").fill(reason);
    await form.getByRole("button").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("row", { name: winner }).waitFor();
    await checkAccess(page, "the confirmation before a winner is corrected");
    await dialog.getByRole("button", { name: "Correct the winner" }).click();
  };
  await right(other, "the teams were mixed up");
  await page.getByText("The winner was corrected.").waitFor();
  await page.getByText("the teams were mixed up").waitFor();
  await checkAccess(page, "a round that was corrected");
  await right(last.winner === "a" ? "Team A won" : "Team B won", "they were not");
  await page.getByText("The winner was corrected.").waitFor({ state: "detached" });
  await visit(page, "#/audit", "Audit trail");
  await page.getByRole("row").filter({ hasText: "the teams were mixed up" }).waitFor();
}
