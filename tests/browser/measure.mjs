// How much the page weighs, and how soon there is something to see.

import assert from "node:assert/strict";

/** The page, its icon, the style, the script, and the one that runs before the first paint. */
const MOST_FILES = 5;
/** The most bytes over the wire that the page may take, headers included. */
const MOST_BYTES = 100_000;
/** The most milliseconds until something is painted, on a machine that builds at the same time. */
const MOST_MILLISECONDS = 3000;
/** A slow line: bytes a second, milliseconds of latency, and the most milliseconds until something is painted over it. */
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
  console.log(`The page: ${first.files} files, ${first.bytes} bytes over the wire, first paint after ${painted.toFixed(0)} ms.`);
  assert.ok(first.files <= MOST_FILES, `the page is of ${first.files} files`);
  assert.ok(first.bytes < MOST_BYTES, `the page takes ${first.bytes} bytes`);
  assert.ok(painted < MOST_MILLISECONDS, `the first paint takes ${painted} ms`);

  const line = { offline: false, latency: SLOW.latency, downloadThroughput: SLOW.bytes, uploadThroughput: SLOW.bytes };
  await devtools.send("Network.emulateNetworkConditions", line);
  await page.reload({ waitUntil: "load" });
  const slowly = await firstPaint(page);
  await devtools.send("Network.emulateNetworkConditions", { ...line, latency: 0, downloadThroughput: -1, uploadThroughput: -1 });
  // The icon may still be on its way, and leaving would break it off.
  await page.waitForLoadState("networkidle");
  console.log(`Over a slow line: first paint after ${slowly.toFixed(0)} ms.`);
  assert.ok(slowly < SLOW.most, `the first paint over a slow line takes ${slowly} ms`);

  await devtools.send("Network.setCacheDisabled", { cacheDisabled: false });
  await page.reload({ waitUntil: "networkidle" });
  [bytes, files] = [0, 0];
  await page.reload({ waitUntil: "networkidle" });
  console.log(`Again: ${bytes} bytes over the wire.`);
  assert.ok(bytes < first.bytes / 2, `files that are known are sent again: ${bytes} bytes`);
}

/** The milliseconds until the page painted something. */
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
