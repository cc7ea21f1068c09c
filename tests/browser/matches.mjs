// A queue is tried: who would play, who would wait, and what is no player's id.

import assert from "node:assert/strict";

import { id } from "./rounds.mjs";
import { checkWidth, heading, logIn } from "./steps.mjs";

export async function matches(page, service) {
  await logIn(page, service.url, "#/matches");
  await heading(page, "Matches");
  const form = page.getByRole("form", { name: "Try a queue" });
  const waits = form.getByLabel("Who waits");
  await waits.fill(`${id(1)} ${id(2)} @ 30\n${id(3)} @ 400\n${id(4)}`);
  await form.getByLabel("Add a player by name").fill(`Quentin · ${id(71)}`);
  assert.ok((await waits.inputValue()).endsWith(`\nQuentin · ${id(71)} @ 60`));
  await form.getByLabel("Free servers").fill("1");
  await form.getByLabel("Players a team").fill("2");
  await form.getByLabel("Policy").fill("quick");
  await form.getByRole("button").click();
  const result = page.getByRole("region", { name: "What would begin" });
  await result.getByRole("heading", { name: "2 v 2 on server-1" }).waitFor();
  // Which of the two who came last is left over, the ratings decide; whoever it is has a row and a reason.
  await result.getByRole("row", { name: "ticket-" }).filter({ hasText: "thers have the server" }).waitFor();
  await checkWidth(page, "the page of matches");

  await waits.fill("nobody @ 5");
  await form.getByRole("button").click();
  await page.getByText("\"nobody\" is no player's id.").waitFor();
}
