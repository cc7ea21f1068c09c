// The round list: filters and pages.

import assert from "node:assert/strict";

import { columnTexts, heading, logIn } from "./support/steps.mjs";

export async function findRounds(page, service, lastRound) {
  await logIn(page, service.url, "#/rounds");
  await heading(page, "Rounds");
  const lines = page.locator("tbody tr");
  assert.equal(await lines.count(), 50);
  const leadsTo = await lines.first().locator("a").first().getAttribute("href");
  assert.ok(leadsTo.startsWith(lastRound), `the list starts with ${leadsTo} instead of the latest round ${lastRound}`);
  await page.getByRole("link", { name: "Older rounds" }).click();
  await page.getByRole("link", { name: "Show latest" }).waitFor();
  assert.equal(await lines.count(), 50);
  await page.goBack();
  await page.getByRole("link", { name: "Show latest" }).waitFor({ state: "detached" });

  await page.getByLabel("Server").fill("highlander-1");
  await page.getByLabel("Player", { exact: true }).fill("[U:1:1]");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await page.waitForURL(/server=highlander-1/);
  await page.getByText("Matching rounds").waitFor({ state: "attached" });
  const servers = await columnTexts(page, "Server");
  assert.ok(servers.length > 0 && servers.every((server) => server === "highlander-1"), `${servers}`);

  await page.getByLabel("Player", { exact: true }).fill("nobody");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await page.getByText("Not a Steam ID.").waitFor();
  await page.getByRole("link", { name: "Show all" }).click();
  await page.getByText("All rounds, newest first").waitFor({ state: "attached" });
  await page.getByLabel("Ended before").fill("2020-01-01T00:00");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await page.getByText("No rounds match.").waitFor();
}
