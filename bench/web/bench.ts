import { type Browser, chromium } from "@playwright/test";
import { prepareChromium } from "../../tools/browser/chromium.ts";
import { startProduct } from "../../tools/launch/start-product.ts";
import { CONDITIONS, type Condition, measurePage } from "./measure.ts";
import { measureSeller } from "./seller.ts";
import { median, print, type Row, formatRow } from "../figures.ts";
import { type Seeded, seedProduct } from "./seed.ts";

const ROUNDS = 3;

/** The parts that the command may name; without a name both are measured. */
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

async function benchBuyer(browser: Browser, appUrl: string, seeded: Seeded): Promise<void> {
  const { emulatorUrl, reference } = seeded;
  print(`buyer's page, 360 × 740, median of ${ROUNDS} (emulators at ${emulatorUrl})`);
  const url = `${appUrl}/?tgWebAppStartParam=${reference}`;
  await rounds(
    (condition) => measurePage(browser, url, condition),
    (middle, { aims }) => [
      ["largest paint", "ms", middle("largestPaintMs"), aims.largestPaint],
      ["layout shift", "", middle("layoutShift"), 0.02],
      ["blocking", "ms", middle("blockingMs"), aims.blocking],
      ["HTML and CSS", "kB", middle("documentBytes") / 1024, 14],
      ["JavaScript", "kB", middle("scriptBytes") / 1024, 75],
      ["… before the paint", "kB", middle("scriptBytesBeforePaint") / 1024, 0],
      ["image", "kB", middle("imageBytes") / 1024, 40],
    ],
  );
}

async function benchSeller(browser: Browser, { launchUrl }: Seeded): Promise<void> {
  print(`\nseller's app, median of ${ROUNDS}`);
  await rounds(
    (condition) => measureSeller(browser, launchUrl, condition),
    (middle, { aims }) => [
      ["first opening, home painted", "ms", middle("firstMs"), aims.sellerFirst],
      ["second opening, painted from cache", "ms", middle("secondMs"), 300],
      ["a tap answered, slowest of five", "ms", middle("tapMs"), 100],
      ["JavaScript, first opening", "kB", middle("scriptBytes") / 1024],
      ["third-party origins", "", middle("thirdParties"), 0],
    ],
  );
}

/** A figure, and its upper bound in QUALITY §2, if any. */
type Line = readonly [what: string, unit: string, figure: number, atMost?: number];

async function rounds<K extends string>(
  measure: (condition: Condition) => Promise<Record<K, number>>,
  lines: (middle: (key: K) => number, condition: Condition) => readonly Line[],
): Promise<void> {
  for (const condition of CONDITIONS) {
    const measures: Record<K, number>[] = [];
    for (let round = 0; round < ROUNDS; round += 1) measures.push(await measure(condition));
    print(`\n${condition.name}`);
    for (const [what, unit, figure, atMost] of lines(
      (key) => median(measures.map((one) => one[key])),
      condition,
    )) {
      const aim: Row["aim"] = atMost === undefined ? undefined : { atMost };
      print(formatRow({ what, figure, unit, aim }));
    }
  }
}
