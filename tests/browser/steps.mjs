// What the tests do over and over.

import assert from "node:assert/strict";

import { ADMIN_SECRET } from "./service.mjs";

/** Logs in at `url` and waits for the overview, or for whatever `hash` names. */
export async function logIn(page, url, hash = "#/overview") {
  await page.goto(`${url}/${hash}`);
  await page.getByLabel("Admin secret").fill(ADMIN_SECRET);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
}

/** Logs out. */
export async function logOut(page) {
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("button", { name: "Log out" }).click();
  await page.getByLabel("Admin secret").waitFor();
}

/** Goes to `hash` and waits until its heading has `title`. */
export async function visit(page, hash, title) {
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
  await heading(page, title);
}

/** Waits until the page's heading has `title` in it. */
export async function heading(page, title) {
  await page.getByRole("heading", { level: 1, name: title }).waitFor();
  await page.locator("main:not([aria-busy])").waitFor();
}

/** Fails where the page itself scrolls to the side. */
export async function checkWidth(page, where) {
  const { needed, there } = await page.evaluate(() => ({ needed: document.documentElement.scrollWidth, there: document.documentElement.clientWidth }));
  assert.ok(needed <= there, `${where} is ${needed} pixels wide where there are ${there}`);
}

/** How many pixels of a chart are not empty. */
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
