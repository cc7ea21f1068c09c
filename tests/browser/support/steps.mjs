// Shared steps of the tests.

import assert from "node:assert/strict";

import { ADMIN_SECRET } from "./service.mjs";

/** Logs in at `url` and opens the page `hash`. */
export async function logIn(page, url, hash = "#/overview") {
  await page.goto(`${url}/${hash}`);
  await page.getByLabel("Admin secret").fill(ADMIN_SECRET);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
}

export async function logOut(page) {
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("button", { name: "Log out" }).click();
  await page.getByLabel("Admin secret").waitFor();
}

/** Goes to `hash` and waits until the main heading contains `title`. */
export async function visit(page, hash, title) {
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
  await heading(page, title);
}

/** Waits until the main heading contains `title`. */
export async function heading(page, title) {
  await page.getByRole("heading", { level: 1, name: title }).waitFor();
  await page.locator("main:not([aria-busy])").waitFor();
}

/** Fails if the page itself scrolls sideways. */
export async function checkWidth(page, where) {
  const { needed, there } = await page.evaluate(() => ({ needed: document.documentElement.scrollWidth, there: document.documentElement.clientWidth }));
  assert.ok(needed <= there, `${where} is ${needed} pixels wide in a window of ${there} pixels`);
}

/** Returns the number of drawn pixels of a chart. */
export async function inkOf(plot) {
  return plot.locator("canvas").evaluate((canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let ink = 0;
    for (let at = 3; at < data.length; at += 4) {
      ink += data[at] > 0 ? 1 : 0;
    }
    return ink;
  });
}

/** Returns the texts of the column `name` of a page's only table, or of the table that `within` locates. */
export async function columnTexts(within, name) {
  const at = (await within.locator("thead th").allTextContents()).indexOf(name);
  assert.ok(at >= 0, `there is no column ${name}`);
  return within.locator(`tbody tr > :nth-child(${at + 1})`).allTextContents();
}
