// The server list: refused rounds, plugin versions, and links.

import assert from "node:assert/strict";

import { SECRET } from "./support/service.mjs";
import { columnTexts, heading, logIn } from "./support/steps.mjs";

export async function servers(page, service) {
  await service.ask("/v1/hello", { server: "public-1", plugin: "0.1.0" });
  const refused = await fetch(`${service.url}/v1/update`, {
    method: "POST",
    headers: { authorization: `Bearer ${SECRET}`, "content-type": "application/json" },
    body: JSON.stringify({ round_id: "odd", server: "highlander-1", winner: "red", team_a: [], team_b: [] }),
  });
  assert.equal(refused.status, 422);
  await logIn(page, service.url, "#/rounds");
  await heading(page, "Rounds");
  await page.getByRole("link", { name: "Server status" }).click();
  await heading(page, "Servers default");
  const first = page.locator("tbody tr").first();
  await first.getByRole("link", { name: "highlander-1" }).waitFor();
  await first.getByText("refused", { exact: true }).waitFor();
  await page.getByRole("listitem").filter({ hasText: "highlander-1: 1 of its rounds was refused" }).waitFor();
  await page.getByRole("row", { name: "public-1" }).getByText("0.1.0").waitFor();
  await first.getByRole("link", { name: "highlander-1" }).click();
  await heading(page, "Rounds");
  assert.equal(await page.getByLabel("Server").inputValue(), "highlander-1");
  await page.getByLabel("Map").fill("cp_foundry");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await page.waitForURL(/server=highlander-1&map=cp_foundry/);
  await heading(page, "Rounds");
  const maps = await columnTexts(page, "Map");
  assert.ok(maps.length > 0 && maps.every((map) => map === "cp_foundry"), `${maps}`);
}
