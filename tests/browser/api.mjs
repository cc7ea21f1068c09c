// The page of the API: folded, searched as one types, and led to by links.

import assert from "node:assert/strict";

import { checkAccess } from "./browser.mjs";
import { checkWidth } from "./steps.mjs";

export async function api(page, service) {
  await page.goto(`${service.url}/docs`);
  const search = page.getByRole("searchbox", { name: "Search" });
  const shown = page.locator("details.entry:visible");
  const all = await shown.count();
  await search.pressSequentially("scramble");
  await page.getByText(new RegExp(`^\\d+ of ${all} found$`)).waitFor();
  const found = await shown.count();
  assert.ok(found > 3 && found < all / 3, `${found} of ${all}`);
  assert.equal(await page.getByRole("heading", { name: "Rounds", exact: true }).isVisible(), false, "a group without what was searched for");
  await page.getByRole("navigation", { name: "Contents" }).getByRole("link", { name: "POST /v1/scramble", exact: true }).click();
  const operation = page.locator("#propose_splits");
  assert.equal(await operation.isVisible(), true, "a link unfolds what it leads to");
  // A type that the search does not show is shown when a link leads there.
  await operation.getByRole("link", { name: "ScrambleRequest" }).first().click();
  await page.locator("#ScrambleRequest").waitFor();
  await search.fill("nothing has this in it");
  await page.getByText(`0 of ${all} found`).waitFor();
  await search.fill("");
  assert.equal(await shown.count(), all);
  await page.evaluate(() => document.querySelectorAll("details").forEach((details) => { details.open = true; }));
  for (const [width, height] of [[1440, 900], [390, 844]]) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      await checkAccess(page, `the page of the API, ${colorScheme}, ${width} pixels wide,`);
      await checkWidth(page, "the page of the API");
    }
  }
}
