import type { Browser, Page } from "@playwright/test";
import { type Condition, PHONE, throttle } from "./measure.ts";

export type SellerMeasure = {
  /** From the start of the navigation to the balance being painted, in milliseconds. */
  readonly firstMs: number;
  /** The same, on a phone that has opened the app before. */
  readonly secondMs: number;
  /** From a tap to the next painted frame; the slowest of five tabs. */
  readonly tapMs: number;
  readonly scriptBytes: number;
  /** Number of origins requested besides the app's own. */
  readonly thirdParties: number;
};

const TABS = ["Produits", "Groupes", "Stats", "Réglages", "Accueil"] as const;
const WAIT_MS = 60_000;

/** Opens the seller's app twice on one phone, then each of its tabs. */
export async function measureSeller(
  browser: Browser,
  launchUrl: string,
  condition: Condition,
): Promise<SellerMeasure> {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await throttle(session, condition);
  const origins = new Set<string>();
  let scriptBytes = 0;
  context.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith("http")) origins.add(origin);
  });
  page.on("requestfinished", (request) => {
    if (request.resourceType() !== "script") return;
    void request.sizes().then((sizes) => {
      scriptBytes += sizes.responseBodySize;
    });
  });
  await page.addInitScript(watchHome);
  const firstMs = await open(page, launchUrl);
  const firstScripts = scriptBytes;
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null, undefined, {
    timeout: WAIT_MS,
  });
  await page.goto("about:blank");
  const secondMs = await open(page, launchUrl);
  const tapMs = await tapTabs(page);
  const own = new URL(launchUrl).origin;
  await context.close();
  const thirdParties = [...origins].filter((origin) => origin !== own).length;
  return { firstMs, secondMs, tapMs, scriptBytes: firstScripts, thirdParties };
}

async function open(page: Page, url: string): Promise<number> {
  await page.goto(url, { timeout: WAIT_MS });
  await page.waitForFunction(() => window.sesameHome.paintedMs > 0, undefined, {
    timeout: WAIT_MS,
  });
  return page.evaluate(() => window.sesameHome.paintedMs);
}

/** Each tab is tapped once to load its screen, and measured at the second tap. */
async function tapTabs(page: Page): Promise<number> {
  const bar = page.getByRole("navigation", { name: "Navigation principale" });
  for (const round of [1, 2]) {
    for (const name of TABS) {
      await bar.getByRole("link", { name }).tap({ timeout: WAIT_MS });
      await page.waitForTimeout(round === 1 ? 1_500 : 400);
    }
    if (round === 1) await page.evaluate(() => window.sesameHome.forgetTaps());
  }
  return page.evaluate(() => window.sesameHome.slowestTapMs);
}

declare global {
  interface Window {
    sesameHome: { paintedMs: number; slowestTapMs: number; forgetTaps(): void };
  }
}

/** Runs in the page, before everything else. */
function watchHome(): void {
  const home = {
    paintedMs: 0,
    slowestTapMs: 0,
    forgetTaps() {
      home.slowestTapMs = 0;
    },
  };
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
