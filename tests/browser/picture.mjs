// Takes the screenshot of the dashboard for the README.

import { heading, logIn } from "./support/steps.mjs";

export async function picture(page, service, path) {
  await page.setViewportSize({ width: 1280, height: 1008 });
  await page.emulateMedia({ colorScheme: "light" });
  await logIn(page, service.url);
  await heading(page, "Overview");
  await page.locator("#said").filter({ hasText: /^$/ }).waitFor({ state: "attached" });
  await page.locator(".plot canvas").first().waitFor();
  await page.screenshot({ path, animations: "disabled" });
}
