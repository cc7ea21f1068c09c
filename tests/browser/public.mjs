// The public pages: the leaderboard, a player's page and a round's page.

import assert from "node:assert/strict";

import { checkAccess } from "./support/browser.mjs";
import { checkWidth } from "./support/steps.mjs";

export async function everybody(page, service) {
  const pages = [["/leaderboard", "Our servers · default"]];
  await page.goto(`${service.url}/leaderboard`);
  await page.getByRole("heading", { level: 1, name: "Our servers · default" }).waitFor();
  const best = page.locator("tbody tr").first().getByRole("link").first();
  const address = await best.getAttribute("href");
  await best.click();
  await page.getByRole("heading", { level: 1 }).waitFor();
  assert.ok(page.url().includes("/players/"), page.url());
  for (const property of ["og:title", "og:description"]) {
    assert.ok(await page.locator(`meta[property="${property}"]`).getAttribute("content"), `there is no ${property}`);
  }
  pages.push([address, ""]);
  const match = page.locator('a[href^="/matches/"]').first();
  pages.push([await match.getAttribute("href"), ""]);
  await match.click();
  await page.getByRole("heading", { level: 2, name: "Why these teams" }).waitFor();

  await page.goto(`${service.url}/leaderboard?search=nobody-is-called-so`);
  await page.getByText("No player of this pool matches.").waitFor();
  await page.goto(`${service.url}/leaderboard`);
  await page.getByLabel("Go to a rank").fill("3");
  await page.getByRole("button", { name: "Go", exact: true }).click();
  await page.waitForURL(/from=3/);
  await page.locator("tbody tr td:first-child", { hasText: /^3$/ }).waitFor();

  for (const [width, height] of [[1280, 900], [360, 740]]) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      for (const [path, title] of pages) {
        await page.goto(new URL(path, service.url).href);
        await page.getByRole("heading", { level: 1, name: title }).waitFor();
        await checkAccess(page, `${path}, ${colorScheme}, ${width} pixels wide,`);
        await checkWidth(page, path);
      }
    }
  }
}
