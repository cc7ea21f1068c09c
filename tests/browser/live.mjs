// The live matches: the odds, why the teams are as they are, and a request for a scramble.

import assert from "node:assert/strict";

import { checkAccess } from "./support/browser.mjs";
import { id } from "./support/rounds.mjs";
import { heading, logIn, visit } from "./support/steps.mjs";

export async function live(page, service) {
  const server = "public-2";
  const { splits: [split] } = await service.ask("/v1/scramble", { server, players: [1, 2, 3, 4, 5, 6, 7, 8].map(id), bench: false });
  const teams = { server, team_a: [...split.a, { id: id(72), name: "Joan" }], team_b: split.b.slice(1) };
  const { before } = await service.ask("/v1/balance", teams);
  await logIn(page, service.url);
  await heading(page, "Overview");
  await page.getByRole("link", { name: "Live", exact: true }).click();
  await heading(page, "Live");
  const match = page.locator(".match").filter({ has: page.getByRole("heading", { name: server }) });
  await match.getByText(/dds .*: since the scramble less than a minute ago with .* odds.*, Joan \(\d+\) joined team A; .* left team B\./).waitFor();
  const odds = `${(100 * before.win_probability_a).toFixed(1)} %`;
  await match.getByRole("heading", { name: `Team A ${odds}` }).waitFor();
  assert.equal(await match.getByRole("link").count(), 9, "the players on the teams and the one who left");
  await checkAccess(page, "the live matches");

  const button = match.getByRole("button", { name: `Request scramble on ${server}` });
  await button.click();
  await match.getByText(`${server} has not confirmed it yet`).waitFor();
  assert.equal(await button.count(), 0, "the request can be sent twice");
  await visit(page, "#/audit", "Audit trail");
  await page.getByRole("row", { name: "Scramble requested" }).waitFor();

  await visit(page, "#/servers", "Servers");
  await page.getByRole("row", { name: server }).getByRole("link", { name: "Live" }).click();
  await heading(page, "Live");
  await page.getByRole("link", { name: "Show all servers" }).waitFor();
  assert.equal(await page.locator(".match").count(), 1);
}
