// A running void, on the overview and on its round's page, and how it is stopped. The service's answers are mocked,
// because a real void of the test's few rounds ends too soon to be seen.

import assert from "node:assert/strict";

import { checkAccess } from "./support/browser.mjs";
import { checkWidth, heading, logIn, visit } from "./support/steps.mjs";

export async function rebuild(page, service, last, lastRound) {
  const progress = { done: 61_250, total: 140_000, started_at: new Date().toISOString(), remaining_seconds: 194 };
  const round = { server: last.server, round_id: last.round_id, action: "void" };
  const running = { round, cancelled: false, progress };
  const asked = [];
  await page.route(/\/v1\/admin\/rebuild\?/, async (route) => {
    asked.push(route.request().method());
    if (route.request().method() === "DELETE") {
      running.cancelled = true;
      await route.fulfill({ status: 202, json: { pool: "default", rebuild: running } });
    } else {
      await route.fulfill({ json: { pool: "default", rebuild: running } });
    }
  });
  const read = { done: 3_000, total: 4_000, started_at: new Date().toISOString(), remaining_seconds: 1 };
  const imports = [{ source: "old.jsonl and 2 more", progress: read }, { source: "-", progress: null }];
  await page.route(/\/v1\/admin\/imports/, (route) => route.fulfill({ json: { imports } }));
  await logIn(page, service.url);
  await heading(page, "Overview");
  const imported = page.getByRole("region", { name: "Import in progress" });
  await imported.getByText("from old.jsonl and 2 more. 75.0 % done, about 1 second left.").waitFor();
  assert.equal(await imported.count(), 2);
  const notice = page.getByRole("region", { name: "In progress", exact: true });
  await notice.getByText("43.8 % of the log is done, about 3 minutes left.").waitFor();
  assert.equal(await notice.getByRole("progressbar").getAttribute("value"), "61250");
  for (const [width, height] of [[360, 740], [1280, 900]]) {
    await page.setViewportSize({ width, height });
    await checkAccess(page, `a running void, ${width} pixels wide,`);
    await checkWidth(page, "the overview with a running void");
  }

  const its = new RegExp(`/v1/admin/rounds/${last.server}/[^/]+$`);
  await page.route(its, async (route) => {
    const found = await (await route.fetch()).json();
    await route.fulfill({ json: { ...found, in_progress: "void", progress: { ...progress, done: 0, remaining_seconds: null } } });
  });
  await notice.getByRole("link", { name: last.round_id }).click();
  await heading(page, "Round");
  await notice.getByText("0.0 % of the log is done.").waitFor();
  assert.equal(await page.getByRole("button", { name: "In progress…" }).isDisabled(), true);
  await checkAccess(page, "a round that is being voided");
  await page.unroute(its);
  assert.ok(page.url().includes(lastRound), page.url());

  await visit(page, "#/overview", "Overview");
  await notice.getByRole("button", { name: "Stop recalculation…" }).click();
  const dialog = page.getByRole("dialog");
  await checkAccess(page, "the confirmation before a void is stopped");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  assert.ok(!asked.includes("DELETE"), "it was stopped although the confirmation was cancelled");
  await notice.getByRole("button", { name: "Stop recalculation…" }).click();
  await dialog.getByRole("button", { name: "Stop the recalculation" }).click();
  await notice.getByText("The recalculation was stopped").waitFor();
  assert.equal(await notice.getByRole("button").count(), 0);

  await page.unrouteAll();
  await visit(page, "#/audit", "Audit trail");
  await visit(page, "#/overview", "Overview");
  assert.equal(await notice.count(), 0, "the notice is still there");
}
