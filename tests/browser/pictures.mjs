// The README's pictures.

import { join } from "node:path";

import { id } from "./rounds.mjs";
import { heading, logIn, visit } from "./steps.mjs";

export async function pictures(page, service, folder) {
  const take = (name) => page.screenshot({ path: join(folder, name), animations: "disabled" });
  await page.setViewportSize({ width: 1280, height: 1480 });
  await page.emulateMedia({ colorScheme: "light" });
  await logIn(page, service.url);
  await heading(page, "Overview");
  await page.locator("#said").filter({ hasText: /^$/ }).waitFor({ state: "attached" });
  await take("dashboard.png");
  await page.emulateMedia({ colorScheme: "dark" });
  await page.locator(".plot canvas").first().waitFor();
  await take("dashboard-dark.png");
  await page.emulateMedia({ colorScheme: "light" });
  await visit(page, `#/player/${id(2)}`, "Player");
  await take("player.png");
  await page.setViewportSize({ width: 360, height: 740 });
  await visit(page, "#/overview", "Overview");
  await take("phone.png");
}
