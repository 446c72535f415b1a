import type { Browser, CDPSession } from "@playwright/test";

/** A phone's network and processor, as QUALITY §2 sets them. */
export type Condition = {
  readonly name: string;
  readonly bitsPerSecond: number;
  readonly latencyMs: number;
  readonly cpuSlowdown: number;
  /** Bounds of QUALITY §2, in milliseconds. */
  readonly aims: {
    readonly largestPaint: number;
    readonly blocking: number;
    readonly sellerFirst: number;
  };
};

export const CONDITIONS: readonly Condition[] = [
  {
    name: "3G lente",
    bitsPerSecond: 400_000,
    latencyMs: 400,
    cpuSlowdown: 6,
    aims: { largestPaint: 1_800, blocking: 110, sellerFirst: 3_500 },
  },
  {
    name: "4G lente",
    bitsPerSecond: 1_600_000,
    latencyMs: 150,
    cpuSlowdown: 4,
    aims: { largestPaint: 800, blocking: 50, sellerFirst: 1_300 },
  },
];

export type Measure = {
  /** Milliseconds from the start of the navigation. */
  readonly largestPaintMs: number;
  readonly layoutShift: number;
  /** Sum of the time of long tasks beyond 50 ms each. */
  readonly blockingMs: number;
  /** Bytes on the wire, headers included. */
  readonly documentBytes: number;
  readonly scriptBytes: number;
  readonly imageBytes: number;
  readonly scriptBytesBeforePaint: number;
};

const WAIT_MS = 20_000;

export const PHONE = {
  viewport: { width: 360, height: 740 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
} as const;

/** Opens `url` with an empty cache and reads the browser's own measurements. */
export async function measurePage(
  browser: Browser,
  url: string,
  condition: Condition,
): Promise<Measure> {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const traffic = await watchTraffic(session);
  await throttle(session, condition);
  await page.addInitScript(observe);
  await page.goto(url, { waitUntil: "load", timeout: 60_000 });
  await page.waitForFunction(() => window.sesameBench.quiet(), undefined, { timeout: WAIT_MS });
  const seen = await page.evaluate(() => ({
    largestPaintMs: window.sesameBench.largestPaintMs,
    layoutShift: window.sesameBench.layoutShift,
    blockingMs: window.sesameBench.blockingMs,
  }));
  await context.close();
  return { ...seen, ...traffic(seen.largestPaintMs) };
}

declare global {
  interface Window {
    sesameBench: {
      largestPaintMs: number;
      layoutShift: number;
      blockingMs: number;
      quiet(): boolean;
    };
  }
}

/** Runs in the page, before everything else. */
function observe(): void {
  const bench = { largestPaintMs: 0, layoutShift: 0, blockingMs: 0, lastAt: performance.now() };
  const watch = (type: string, take: (entry: PerformanceEntry) => void) => {
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) take(entry);
      bench.lastAt = performance.now();
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
  window.sesameBench = Object.assign(bench, {
    quiet: () => bench.largestPaintMs > 0 && performance.now() - bench.lastAt > 2_500,
  });
}

export async function throttle(session: CDPSession, condition: Condition): Promise<void> {
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: condition.latencyMs,
    downloadThroughput: condition.bitsPerSecond / 8,
    uploadThroughput: condition.bitsPerSecond / 8,
  });
  await session.send("Emulation.setCPUThrottlingRate", { rate: condition.cpuSlowdown });
}

type Traffic = Pick<
  Measure,
  "documentBytes" | "scriptBytes" | "imageBytes" | "scriptBytesBeforePaint"
>;

async function watchTraffic(session: CDPSession): Promise<(paintMs: number) => Traffic> {
  await session.send("Network.enable");
  const requests = new Map<string, { type: string; startedAt: number; bytes: number }>();
  let firstAt: number | null = null;
  session.on("Network.requestWillBeSent", (event) => {
    firstAt ??= event.timestamp;
    requests.set(event.requestId, {
      type: event.type ?? "Other",
      startedAt: (event.timestamp - firstAt) * 1000,
      bytes: 0,
    });
  });
  session.on("Network.loadingFinished", (event) => {
    const request = requests.get(event.requestId);
    if (request) request.bytes = event.encodedDataLength;
  });
  return (paintMs) => {
    const all = [...requests.values()];
    const sum = (type: string, before = Number.POSITIVE_INFINITY) =>
      all
        .filter((request) => request.type === type && request.startedAt < before)
        .reduce((bytes, request) => bytes + request.bytes, 0);
    return {
      documentBytes: sum("Document"),
      scriptBytes: sum("Script"),
      imageBytes: sum("Image"),
      scriptBytesBeforePaint: sum("Script", paintMs),
    };
  };
}
