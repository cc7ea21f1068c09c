// Starts Chromium and records the faults of its pages.

import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { chromium } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const FLAGS = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

/** Starts Chromium from `executablePath` with an empty profile. */
export async function startBrowser(executablePath) {
  const profile = await mkdtemp(join(tmpdir(), "rbs-chromium-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    args: FLAGS,
    viewport: { width: 1280, height: 900 },
    locale: "en-GB",
    timezoneId: "UTC",
    colorScheme: "light",
  });
  await context.addInitScript(AXE);
  context.setDefaultTimeout(10_000);
  return {
    context,
    async stop() {
      await context.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}

/** Opens a page whose faults are recorded: see `Watched.check`. */
export async function openPage(context, url) {
  const page = await context.newPage();
  return { page, watched: new Watched(page, url) };
}

/** Records the faults of a page. */
class Watched {
  constructor(page, url) {
    this.page = page;
    this.faults = [];
    this.allowed = [];
    this.host = new URL(url).host;
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") {
        this.note(`console: ${message.text()}`);
      }
    });
    page.on("pageerror", (error) => this.note(`page error: ${error.stack}`));
    page.on("request", (request) => {
      if (new URL(request.url()).host !== this.host) {
        this.note(`request to another host: ${request.url()}`);
      }
      if (request.url().includes("secret")) {
        this.note(`secret in an address: ${request.url()}`);
      }
    });
    page.on("requestfailed", (request) => this.note(`request failed: ${request.url()}: ${request.failure()?.errorText}`));
    page.on("response", (response) => {
      if (response.status() >= 400) {
        this.note(`answered ${response.status()}: ${response.url()}`);
      }
    });
  }

  note(fault) {
    if (!this.allowed.some((pattern) => pattern.test(fault))) {
      this.faults.push(fault);
    }
  }

  /** Ignores faults that match `patterns` while `work` runs. */
  async allowing(patterns, work) {
    this.allowed = patterns;
    try {
      await work();
    } finally {
      this.allowed = [];
    }
  }

  /** Throws if there were faults since the last check. */
  check() {
    const faults = this.faults.splice(0);
    if (faults.length > 0) {
      throw new Error(`the page had faults:\n${faults.join("\n")}`);
    }
  }
}

/** Throws if the current page violates the accessibility rules (WCAG 2.2 AA). */
export async function checkAccess(page, where) {
  const violations = await page.evaluate(async () => {
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
    const result = await globalThis.axe.run(document, { runOnly: { type: "tag", values: tags } });
    return result.violations.flatMap(({ id, help, nodes }) => nodes.map((node) => `${id} (${help}): ${node.target} ${node.failureSummary}`));
  });
  if (violations.length > 0) {
    throw new Error(`${where} is not accessible:\n${violations.join("\n")}`);
  }
}
