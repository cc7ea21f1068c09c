// A season is started, shown, and undone.

import { checkAccess } from "./support/browser.mjs";
import { checkWidth, heading, logIn, visit } from "./support/steps.mjs";

export async function seasons(page, watched, service) {
  await logIn(page, service.url, "#/seasons?pool=arena");
  await heading(page, "Seasons arena");
  await checkWidth(page, "seasons");
  const form = page.getByRole("form", { name: "Start a season" });
  await form.getByLabel("Name").fill("Winter 2027");
  await form.getByLabel("Percentage of each rating's distance from the initial rating to keep: 100 keeps all ratings, 0 resets them").fill("50");
  await form.getByLabel("Reason").fill("a new year");
  await form.getByRole("button").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("You can undo the start").waitFor();
  // The pool has no rounds.
  await dialog.getByText("The effect on the predictions cannot be calculated").waitFor();
  await checkAccess(page, "the confirmation before a season starts");
  await dialog.getByRole("button", { name: "Start the season" }).click();
  await page.getByText("Winter 2027 has started.").waitFor();
  const rows = page.getByRole("group", { name: "Seasons, newest first" }).locator("tbody tr");
  await rows.nth(1).waitFor();
  await checkAccess(page, "the seasons");

  await form.getByLabel("Name").fill("Winter 2027");
  await watched.allowing([/409/], async () => {
    await form.getByRole("button").click();
    await dialog.getByRole("button", { name: "Start the season" }).click();
    await page.getByRole("alert").filter({ hasText: "already" }).waitFor();
  });

  await page.getByRole("link", { name: "Before the first season" }).click();
  await heading(page, "Leaderboard arena");
  await page.getByText("final standings").waitFor();
  await checkAccess(page, "the standings of a season");
  await visit(page, "#/overview?pool=arena", "Overview arena");
  await page.getByText("Season Winter 2027 since").waitFor();

  await visit(page, "#/seasons?pool=arena", "Seasons arena");
  await page.getByRole("button", { name: "Undo the start of Winter 2027" }).click();
  await checkAccess(page, "the confirmation before a start is undone");
  await dialog.getByRole("button", { name: "Undo the start", exact: true }).click();
  await page.getByText("as if the season had never started.").waitFor();
  await rows.nth(1).waitFor({ state: "detached" });
  await visit(page, "#/audit?pool=arena", "Audit trail arena");
  await page.getByRole("row").filter({ hasText: "Season undone" }).waitFor();

  await visit(page, "#/seasons", "Seasons default");
  await form.getByLabel("Name").fill("Spring 2027");
  await form.getByLabel("Percentage of each rating's distance from the initial rating to keep: 100 keeps all ratings, 0 resets them").fill("25");
  await form.getByRole("button").click();
  await dialog.getByText(/the predictions of the \d+ rounds since then would have had a log loss of 0\.\d{4} instead of 0\.\d{4}/).waitFor();
  await dialog.getByText("will change").waitFor();
  await dialog.getByRole("rowheader").nth(4).waitFor();
  await checkAccess(page, "the confirmation with predictions");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await rows.nth(1).waitFor({ state: "detached" });
}
