// A season starts, is shown, and is taken back.

import { checkAccess } from "./browser.mjs";
import { checkWidth, heading, logIn, visit } from "./steps.mjs";

export async function seasons(page, watched, service) {
  await logIn(page, service.url, "#/seasons?pool=arena");
  await heading(page, "Seasons arena");
  await checkWidth(page, "seasons");
  const form = page.getByRole("form", { name: "Start a season" });
  await form.getByLabel("Name").fill("Winter 2027");
  await form.getByLabel("Kept, in per cent").fill("50");
  await form.getByLabel("Reason").fill("a new year");
  await form.getByRole("button").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("It can be undone").waitFor();
  // Nobody has played there.
  await dialog.getByText("What it would have done to the predictions is not known").waitFor();
  await checkAccess(page, "the question before a season starts");
  await dialog.getByRole("button", { name: "Start it" }).click();
  await page.getByText("Winter 2027 has started.").waitFor();
  const rows = page.getByRole("group", { name: "Seasons, the latest first" }).locator("tbody tr");
  await rows.nth(1).waitFor();
  await checkAccess(page, "the seasons");

  await form.getByLabel("Name").fill("Winter 2027");
  await watched.allowing([/409/], async () => {
    await form.getByRole("button").click();
    await dialog.getByRole("button", { name: "Start it" }).click();
    await page.getByRole("alert").filter({ hasText: "already" }).waitFor();
  });

  await page.getByRole("link", { name: "Before the first season" }).click();
  await heading(page, "Leaderboard arena");
  await page.getByText("as it ended").waitFor();
  await checkAccess(page, "the standings of a season");
  await visit(page, "#/overview?pool=arena", "Overview arena");
  await page.getByText("Season Winter 2027 since").waitFor();

  await visit(page, "#/seasons?pool=arena", "Seasons arena");
  await page.getByRole("button", { name: "Undo the start of Winter 2027" }).click();
  await checkAccess(page, "the question before a start is undone");
  await dialog.getByRole("button", { name: "Undo it" }).click();
  await page.getByText("as if the season had never started.").waitFor();
  await rows.nth(1).waitFor({ state: "detached" });
  await visit(page, "#/audit?pool=arena", "Audit trail arena");
  await page.getByRole("row").filter({ hasText: "Season undone" }).waitFor();

  await visit(page, "#/seasons", "Seasons default");
  await form.getByLabel("Name").fill("Spring 2027");
  await form.getByLabel("Kept, in per cent").fill("25");
  await form.getByRole("button").click();
  await dialog.getByText(/the log loss of the \d+ rounds behind that would be 0\.\d{4} in place of 0\.\d{4}/).waitFor();
  await dialog.getByText("It moves").waitFor();
  await dialog.getByRole("rowheader").nth(4).waitFor();
  await checkAccess(page, "the question with predictions");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await rows.nth(1).waitFor({ state: "detached" });
}
