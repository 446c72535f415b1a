import { type Browser, chromium } from "@playwright/test";
import { prepareChromium } from "../../tools/browser/chromium.ts";
import { startProduct } from "../../tools/launch/start-product.ts";
import { CONDITIONS, type Condition, type Measure, measurePage } from "./measure.ts";
import { startPeer } from "./peer.ts";
import { measureSeller, type SellerMeasure } from "./seller.ts";
import { median as medianOf } from "../figures.ts";
import { type Seeded, seedProduct } from "./seed.ts";

const ROUNDS = 3;

/** Whose half is measured, as the command is told; everybody's when it is told nobody. */
const WHO = ["acheteur", "vendeur"] as const;

/** Prints what buyers and sellers wait for on slow networks. */
export async function benchWeb(asked: readonly string[] = []): Promise<void> {
  const unknown = asked.filter((who) => !WHO.some((known) => known === who));
  if (unknown.length > 0) throw new Error(`${unknown.join(", ")}: ${WHO.join(" or ")}`);
  const measures = (who: (typeof WHO)[number]) => asked.length === 0 || asked.includes(who);
  const product = await startProduct();
  const { executablePath, args, env } = await prepareChromium();
  const browser = await chromium.launch({ executablePath, args, env });
  try {
    const seeded = await seedProduct(product);
    if (measures("acheteur")) await benchBuyer(browser, product.appUrl, seeded);
    if (measures("vendeur")) await benchSeller(browser, seeded);
  } finally {
    await browser.close();
    await product.stop();
  }
}

/** The buyer's page, beside the same page drawn by the browser. */
async function benchBuyer(browser: Browser, appUrl: string, seeded: Seeded): Promise<void> {
  const peer = await startPeer(appUrl);
  const path = `/?tgWebAppStartParam=${seeded.reference}`;
  const { emulatorUrl } = seeded;
  console.log(
    `buyer's page, 360 × 740, median of ${ROUNDS}, interleaved (emulators at ${emulatorUrl})`,
  );
  try {
    for (const condition of CONDITIONS) {
      const ours: Measure[] = [];
      const theirs: Measure[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        ours.push(await measurePage(browser, appUrl + path, condition));
        theirs.push(await measurePage(browser, peer.url + path, condition));
      }
      print(condition, median(ours), median(theirs));
    }
  } finally {
    await peer.close();
  }
}

async function benchSeller(browser: Browser, { launchUrl }: Seeded): Promise<void> {
  console.log(`\nseller's app, median of ${ROUNDS}`);
  for (const condition of CONDITIONS) {
    const rounds: SellerMeasure[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      rounds.push(await measureSeller(browser, launchUrl, condition));
    }
    printSeller(condition, rounds);
  }
}

/** QUALITY §2, of the buyer's page. */
const AIMS = { layoutShift: 0.02, documentKb: 14, scriptKb: 75, imageKb: 40 } as const;
/** … and of the seller's app, in milliseconds. */
const SELLER_AIMS = { cached: 300, tap: 100, thirdParties: 0 } as const;

function print({ name, aims }: Condition, ours: Measure, theirs: Measure): void {
  console.log(`\n${name}`);
  say("largest paint", ours.largestPaintMs, { unit: "ms", aim: aims.largestPaint });
  say("… drawn by browser", theirs.largestPaintMs, { unit: "ms" });
  say("ratio", theirs.largestPaintMs / ours.largestPaintMs, { unit: "×", digits: 2 });
  say("layout shift", ours.layoutShift, { aim: AIMS.layoutShift, digits: 3 });
  say("blocking", ours.blockingMs, { unit: "ms", aim: aims.blocking });
  say("HTML and CSS", ours.documentBytes / 1024, { unit: "kB", aim: AIMS.documentKb, digits: 1 });
  say("JavaScript", ours.scriptBytes / 1024, { unit: "kB", aim: AIMS.scriptKb, digits: 1 });
  say("… before the paint", ours.scriptBytesBeforePaint / 1024, { unit: "kB", aim: 0, digits: 1 });
  say("image", ours.imageBytes / 1024, { unit: "kB", aim: AIMS.imageKb, digits: 1 });
}

function printSeller({ name, aims }: Condition, rounds: readonly SellerMeasure[]): void {
  const middle = (of: (measure: SellerMeasure) => number) => medianOf(rounds.map(of));
  const ms = (what: string, figure: number, aim: number) => say(what, figure, { unit: "ms", aim });
  console.log(`\n${name}`);
  ms(
    "first opening, home painted",
    middle(({ firstMs }) => firstMs),
    aims.sellerFirst,
  );
  ms(
    "second opening, painted from cache",
    middle(({ secondMs }) => secondMs),
    SELLER_AIMS.cached,
  );
  ms(
    "a tap answered, slowest of five",
    middle(({ tapMs }) => tapMs),
    SELLER_AIMS.tap,
  );
  say("JavaScript, first opening", middle(({ scriptBytes }) => scriptBytes) / 1024, {
    unit: "kB",
    digits: 1,
  });
  say(
    "third-party origins",
    middle(({ thirdParties }) => thirdParties),
    { aim: SELLER_AIMS.thirdParties },
  );
}

type Said = { readonly unit?: string; readonly aim?: number; readonly digits?: number };

function say(what: string, figure: number, { unit = "", aim, digits = 0 }: Said): void {
  const line = `  ${what.padEnd(36)} ${figure.toFixed(digits).padStart(8)} ${unit.padEnd(2)}`;
  const met = aim === undefined ? "" : `  ${figure <= aim ? "✓" : "✗"} aim ≤ ${aim}`;
  console.log(line + met);
}

/** The run in the middle by its largest paint. */
function median(measures: readonly Measure[]): Measure {
  const sorted = [...measures].sort((a, b) => a.largestPaintMs - b.largestPaintMs);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (!middle) throw new Error("nothing was measured");
  return middle;
}
