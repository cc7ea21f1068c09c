// A void under way on the overview and on its round's page, and how it is called off. The service's
// answers are made up: a void of the test's own rounds is done before anybody could look.

import assert from "node:assert/strict";

import { checkAccess } from "./browser.mjs";
import { checkWidth, heading, logIn, visit } from "./steps.mjs";

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
  const imported = page.getByRole("region", { name: "Import under way" });
  await imported.getByText("from old.jsonl and 2 more. 75.0 % is read, about 1 second to go.").waitFor();
  assert.equal(await imported.count(), 2);
  const notice = page.getByRole("region", { name: "Under way", exact: true });
  await notice.getByText("43.8 % of the log is computed, about 3 minutes to go.").waitFor();
  assert.equal(await notice.getByRole("progressbar").getAttribute("value"), "61250");
  for (const [width, height] of [[360, 740], [1280, 900]]) {
    await page.setViewportSize({ width, height });
    await checkAccess(page, `a void under way, ${width} pixels wide,`);
    await checkWidth(page, "the overview with a void under way");
  }

  const its = new RegExp(`/v1/admin/rounds/${last.server}/[^/]+$`);
  await page.route(its, async (route) => {
    const found = await (await route.fetch()).json();
    await route.fulfill({ json: { ...found, under_way: "void", progress: { ...progress, done: 0, remaining_seconds: null } } });
  });
  await notice.getByRole("link", { name: last.round_id }).click();
  await heading(page, "Round");
  await notice.getByText("0.0 % of the log is computed.").waitFor();
  assert.equal(await page.getByRole("button", { name: "Under way…" }).isDisabled(), true);
  await checkAccess(page, "a round that is being voided");
  await page.unroute(its);
  assert.ok(page.url().includes(lastRound), page.url());

  await visit(page, "#/overview", "Overview");
  await notice.getByRole("button", { name: "Call it off…" }).click();
  const dialog = page.getByRole("dialog");
  await checkAccess(page, "the question before a void is called off");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  assert.ok(!asked.includes("DELETE"), "it was called off although the question was answered by no");
  await notice.getByRole("button", { name: "Call it off…" }).click();
  await dialog.getByRole("button", { name: "Call it off" }).click();
  await notice.getByText("It was called off").waitFor();
  assert.equal(await notice.getByRole("button").count(), 0);

  await page.unrouteAll();
  await visit(page, "#/audit", "Audit trail");
  await visit(page, "#/overview", "Overview");
  assert.equal(await notice.count(), 0, "nothing is under way any more");
}
