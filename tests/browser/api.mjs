// The API reference: it lists every operation, filters by tag, and sends requests.

import assert from "node:assert/strict";

export async function api(page, service) {
  await page.goto(`${service.url}/docs`);
  const operations = page.locator(".opblock");
  await operations.first().waitFor();
  const { paths } = await (await fetch(`${service.url}/openapi.json`)).json();
  const described = Object.values(paths).flatMap((path) => Object.keys(path)).length;
  assert.equal(await operations.count(), described);
  await page.getByPlaceholder("Filter by tag").fill("Splits");
  await page.waitForFunction((all) => document.querySelectorAll(".opblock").length < all, described);
  await page.getByPlaceholder("Filter by tag").fill("Operation");
  const health = page.locator("#operations-Operation-health");
  await health.locator(".opblock-summary-control").click();
  await health.getByRole("button", { name: "Try it out" }).click();
  await health.getByRole("button", { name: "Execute" }).click();
  await health.locator(".live-responses-table").getByText('"status": "ok"').waitFor();
}
