// Logs in, sets a rating and asks to void a round with the keyboard only. The focus must always be visible.

import assert from "node:assert/strict";

import { checkAccess } from "./support/browser.mjs";
import { id } from "./support/rounds.mjs";
import { ADMIN_SECRET } from "./support/service.mjs";
import { heading } from "./support/steps.mjs";

/** More than the number of Tab stops of any page. */
const MOST_STEPS = 300;

export async function keyboard(page, service) {
  await page.goto(`${service.url}/#/overview`);
  await page.getByLabel("Admin secret").waitFor();
  await page.keyboard.type(ADMIN_SECRET);
  await page.keyboard.press("Enter");
  await heading(page, "Overview");

  await tabTo(page, "Skip to content");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "main");
  await tabTo(page, "Show as table: Brier score over time");
  await page.keyboard.press("Enter");
  await page.getByRole("table", { name: "Brier score over time", exact: true }).waitFor();

  // Start from the top: tables also have a "Rounds" column.
  await tabTo(page, "Skip to content");
  await tabTo(page, "Rounds");
  await page.keyboard.press("Enter");
  await heading(page, "Rounds");
  assert.equal(await page.evaluate(() => document.activeElement.id), "main", "a new page does not start with the focus on its content");
  await tabTo(page, /^\d{4}-\d\d-\d\d \d\d:\d\d$/);
  await page.keyboard.press("Enter");
  // The heading of the round list also contains "Round".
  await heading(page, /^Round made-up:/);
  await tabTo(page, "Reason");
  await page.keyboard.type("tried from the keyboard");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  assert.equal(await page.getByText("This round does not count.").count(), 0, "Escape voided the round");

  await page.evaluate(() => document.activeElement.blur());
  await tabTo(page, "Player by name or Steam ID");
  await page.keyboard.type(`${id(5)}\n`);
  await heading(page, "Player");
  await tabTo(page, /^New rating/);
  await page.keyboard.type("1234");
  await tabTo(page, "Reason");
  await page.keyboard.type("typed");
  await page.keyboard.press("Enter");
  await dialog.waitFor();
  await tabTo(page, "Set the rating");
  await page.keyboard.press("Enter");
  await page.locator(".card .value", { hasText: "1,234" }).waitFor();

  await page.evaluate(() => document.activeElement.blur());
  await tabTo(page, "More");
  await page.keyboard.press("Enter");
  await tabTo(page, "Open on a phone");
  await page.keyboard.press("Enter");
  const phone = page.getByRole("dialog", { name: "Open on a phone" });
  await phone.getByText("which is this computer itself").waitFor();
  await phone.getByRole("img", { name: "QR code of the link" }).waitFor();
  await checkAccess(page, "the dialog with the QR code");
  const link = await phone.locator("code").textContent();
  assert.ok(link.startsWith(`${service.url}/#/enter/`), link);
  await page.keyboard.press("Escape");
  await phone.waitFor({ state: "detached" });
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "More", "the focus did not return");
  await page.keyboard.press("Enter");
  await tabTo(page, "Log out");
  await page.keyboard.press("Enter");
  await page.getByLabel("Admin secret").waitFor();
}

/** Presses Tab until the focused element is named `name`. Fails if a focused element shows no outline. */
async function tabTo(page, name) {
  for (let step = 0; step < MOST_STEPS; step += 1) {
    await page.keyboard.press("Tab");
    const { called, seen } = await page.evaluate(() => {
      const element = document.activeElement;
      const label = element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent ?? element.textContent;
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return { called: label.trim(), seen: element === document.body || (outlineStyle !== "none" && parseFloat(outlineWidth) >= 1) };
    });
    assert.ok(seen, `"${called}" does not show the focus`);
    if (name instanceof RegExp ? name.test(called) : called === name) {
      return;
    }
  }
  assert.fail(`the Tab key does not reach "${name}"`);
}
