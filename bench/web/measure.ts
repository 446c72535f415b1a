import type { Browser, Page } from "@playwright/test";

/** A phone's network and processor, with the bounds in milliseconds, as QUALITY §2 sets them. */
export const CONDITIONS = [
  {
    name: "3G lente",
    bitsPerSecond: 400_000,
    latencyMs: 400,
    cpuSlowdown: 6,
    aims: { largestPaint: 1_200, blocking: 110, sellerFirst: 3_500 },
  },
  {
    name: "4G lente",
    bitsPerSecond: 1_600_000,
    latencyMs: 150,
    cpuSlowdown: 4,
    aims: { largestPaint: 500, blocking: 50, sellerFirst: 1_300 },
  },
] as const;
export type Condition = (typeof CONDITIONS)[number];

const TABS = ["Produits", "Groupes", "Stats", "Réglages", "Accueil"] as const;
const WAIT_MS = 60_000;

/** Opens an empty phone in that condition, where `observe` runs in each page before all else. */
async function onPhone<T>(
  browser: Browser,
  condition: Condition,
  [observe, use]: readonly [() => void, (page: Page) => Promise<T>],
): Promise<T> {
  const context = await browser.newContext({
    viewport: { width: 360, height: 740 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
  });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: condition.latencyMs,
    downloadThroughput: condition.bitsPerSecond / 8,
    uploadThroughput: condition.bitsPerSecond / 8,
  });
  await session.send("Emulation.setCPUThrottlingRate", { rate: condition.cpuSlowdown });
  await page.addInitScript(observe);
  page.setDefaultTimeout(WAIT_MS);
  try {
    return await use(page);
  } finally {
    await context.close();
  }
}

declare global {
  interface Window {
    /** In milliseconds from the start of the navigation. */
    sesameBench: {
      largestPaintMs: number;
      layoutShift: number;
      /** Sum of the time of long tasks beyond 50 ms each. */
      blockingMs: number;
      quietSince: number;
    };
    sesameHome: { paintedMs: number; slowestTapMs: number };
  }
}

/** Opens `url` with an empty cache and reads the browser's own measurements. */
export const measureBuyer = (browser: Browser, url: string, condition: Condition) =>
  onPhone(browser, condition, [
    observePage,
    async (page) => {
      await page.goto(url, { waitUntil: "load" });
      await page.waitForFunction(() => {
        const { largestPaintMs, quietSince } = window.sesameBench;
        return largestPaintMs > 0 && performance.now() - quietSince > 2_500;
      });
      return page.evaluate(() => ({
        ...window.sesameBench,
        earlyScripts: performance
          .getEntriesByType("resource")
          .filter(
            ({ name, startTime }) =>
              /\.js$/.test(name) && startTime < window.sesameBench.largestPaintMs,
          ).length,
      }));
    },
  ]);

function observePage(): void {
  const bench = { largestPaintMs: 0, layoutShift: 0, blockingMs: 0, quietSince: performance.now() };
  window.sesameBench = bench;
  const watch = (type: string, take: (entry: PerformanceEntry) => void) => {
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) take(entry);
      bench.quietSince = performance.now();
    }).observe({ type, buffered: true });
  };
  watch("largest-contentful-paint", (entry) => {
    bench.largestPaintMs = entry.startTime;
  });
  watch("layout-shift", (entry) => {
    if ("value" in entry && typeof entry.value === "number") bench.layoutShift += entry.value;
  });
  watch("longtask", (entry) => {
    bench.blockingMs += Math.max(0, entry.duration - 50);
  });
  watch("resource", () => {});
}

/**
 * Opens the seller's app twice on one phone, then each of its tabs: milliseconds to the painted
 * balance, and from a tap to the next painted frame, the slowest of five tabs.
 */
export const measureSeller = (browser: Browser, url: string, condition: Condition) =>
  onPhone(browser, condition, [
    observeHome,
    async (page) => {
      const open = async () => {
        await page.goto(url);
        await page.waitForFunction(() => window.sesameHome.paintedMs > 0);
        return page.evaluate(() => window.sesameHome.paintedMs);
      };
      const firstMs = await open();
      await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
      await page.goto("about:blank");
      const secondMs = await open();
      // The first tap loads a tab's screen, the second is measured.
      await tapTabs(page, 1_500);
      await page.evaluate(() => void (window.sesameHome.slowestTapMs = 0));
      await tapTabs(page, 400);
      const tapMs = await page.evaluate(() => window.sesameHome.slowestTapMs);
      return { firstMs, secondMs, tapMs };
    },
  ]);

async function tapTabs(page: Page, restMs: number): Promise<void> {
  const bar = page.getByRole("navigation", { name: "Navigation principale" });
  for (const name of TABS) {
    await bar.getByRole("link", { name }).tap();
    await page.waitForTimeout(restMs);
  }
}

function observeHome(): void {
  const home = { paintedMs: 0, slowestTapMs: 0 };
  window.sesameHome = home;
  const observer = new MutationObserver(() => {
    if (!document.querySelector('section[aria-label="Solde disponible"]')) return;
    observer.disconnect();
    // The next frame shows the balance.
    requestAnimationFrame(() =>
      setTimeout(() => {
        home.paintedMs = performance.now();
      }),
    );
  });
  observer.observe(document, { childList: true, subtree: true });
  const options = { type: "event", buffered: true, durationThreshold: 16 };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.name === "click") home.slowestTapMs = Math.max(home.slowestTapMs, entry.duration);
    }
  }).observe(options);
}
