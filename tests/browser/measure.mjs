// The size of the page and the time until the first paint.

import assert from "node:assert/strict";

/** The page, its icon, its style, its script, and the script that runs before the first paint. */
const MOST_FILES = 5;
/** Maximum number of transferred bytes, including headers. */
const MOST_BYTES = 105_000;
/** Maximum time until the first paint in milliseconds. Allows for a machine that builds at the same time. */
const MOST_MILLISECONDS = 3000;
/** A slow connection: bytes per second, latency in milliseconds, and maximum time until the first paint in milliseconds. */
const SLOW = { bytes: 50_000, latency: 300, most: 1500 };

export async function measure(page, service) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.setCacheDisabled", { cacheDisabled: true });
  let bytes = 0;
  let files = 0;
  devtools.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
    files += 1;
  });
  await page.goto(service.url, { waitUntil: "networkidle" });
  const painted = await firstPaint(page);
  const first = { bytes, files };
  console.log(`First visit: ${first.files} files, ${first.bytes} bytes transferred, first paint after ${painted.toFixed(0)} ms.`);
  assert.ok(first.files <= MOST_FILES, `the page needs ${first.files} files`);
  assert.ok(first.bytes < MOST_BYTES, `the page needs ${first.bytes} bytes`);
  assert.ok(painted < MOST_MILLISECONDS, `the first paint takes ${painted} ms`);

  const line = { offline: false, latency: SLOW.latency, downloadThroughput: SLOW.bytes, uploadThroughput: SLOW.bytes };
  await devtools.send("Network.emulateNetworkConditions", line);
  await page.reload({ waitUntil: "load" });
  const slowly = await firstPaint(page);
  await devtools.send("Network.emulateNetworkConditions", { ...line, latency: 0, downloadThroughput: -1, uploadThroughput: -1 });
  // Leaving the page now would abort the request for the icon.
  await page.waitForLoadState("networkidle");
  console.log(`Slow connection: first paint after ${slowly.toFixed(0)} ms.`);
  assert.ok(slowly < SLOW.most, `the first paint over a slow connection takes ${slowly} ms`);

  await devtools.send("Network.setCacheDisabled", { cacheDisabled: false });
  await page.reload({ waitUntil: "networkidle" });
  [bytes, files] = [0, 0];
  await page.reload({ waitUntil: "networkidle" });
  console.log(`Second visit: ${bytes} bytes transferred.`);
  assert.ok(bytes < first.bytes / 2, `cached files are sent again: ${bytes} bytes`);
}

/** Returns the time of the first contentful paint in milliseconds. */
function firstPaint(page) {
  return page.evaluate(() => new Promise((resolve) => {
    new PerformanceObserver((list) => {
      const first = list.getEntriesByName("first-contentful-paint")[0];
      if (first) {
        resolve(first.startTime);
      }
    }).observe({ type: "paint", buffered: true });
  }));
}
