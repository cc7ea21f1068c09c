// From log-in to a given rating and a voided round without a pointer, always seeing where one is.

import assert from "node:assert/strict";

import { id } from "./rounds.mjs";
import { ADMIN_SECRET } from "./service.mjs";
import { heading } from "./steps.mjs";

/** More steps than any page needs to come round. */
const MOST_STEPS = 300;

export async function keyboard(page, service) {
  await page.goto(service.url);
  await page.getByLabel("Admin secret").waitFor();
  await page.keyboard.type(ADMIN_SECRET);
  await page.keyboard.press("Enter");
  await heading(page, "Overview");

  await tabTo(page, "Skip to the content");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "main");
  await tabTo(page, "The same as a table: Brier score over time");
  await page.keyboard.press("Enter");
  await page.getByRole("table", { name: "Brier score over time", exact: true }).waitFor();

  // Tables have columns of that name too.
  await tabTo(page, "Skip to the content");
  await tabTo(page, "Rounds");
  await page.keyboard.press("Enter");
  await heading(page, "Rounds");
  assert.equal(await page.evaluate(() => document.activeElement.id), "main", "a new page begins elsewhere than at its beginning");
  await tabTo(page, /^made-up:\d+$/);
  await page.keyboard.press("Enter");
  // The page of all rounds has "Round" in its heading too.
  await heading(page, /^Round made-up:/);
  await tabTo(page, "Reason");
  await page.keyboard.type("tried from the keyboard");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  assert.equal(await page.getByText("This round does not count.").count(), 0, "Escape has voided the round");

  await page.evaluate(() => document.activeElement.blur());
  await tabTo(page, "Player by name or Steam id");
  await page.keyboard.type(`${id(5)}\n`);
  await heading(page, "Player");
  await tabTo(page, /^New rating/);
  await page.keyboard.type("1234");
  await tabTo(page, "Reason");
  await page.keyboard.type("typed");
  await page.keyboard.press("Enter");
  await dialog.waitFor();
  await tabTo(page, "Give the rating");
  await page.keyboard.press("Enter");
  await page.locator(".card .value", { hasText: "1,234" }).waitFor();

  await page.evaluate(() => document.activeElement.blur());
  await tabTo(page, "More");
  await page.keyboard.press("Enter");
  await tabTo(page, "Log out");
  await page.keyboard.press("Enter");
  await page.getByLabel("Admin secret").waitFor();
}

/** Goes on by the tabulator until what has the focus is called `name`, and always shows that it has. */
async function tabTo(page, name) {
  for (let step = 0; step < MOST_STEPS; step += 1) {
    await page.keyboard.press("Tab");
    const { called, seen } = await page.evaluate(() => {
      const element = document.activeElement;
      const label = element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent ?? element.textContent;
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return { called: label.trim(), seen: element === document.body || (outlineStyle !== "none" && parseFloat(outlineWidth) >= 1) };
    });
    assert.ok(seen, `"${called}" does not show that it has the focus`);
    if (name instanceof RegExp ? name.test(called) : called === name) {
      return;
    }
  }
  assert.fail(`the tabulator does not lead to "${name}"`);
}
