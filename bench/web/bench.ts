import { chromium } from "@playwright/test";
import { prepareChromium } from "../../tools/browser/chromium.ts";
import { startProduct } from "../../tools/launch/start-product.ts";
import { CONDITIONS, type Condition, type Measure, measurePage } from "./measure.ts";
import { startPeer } from "./peer.ts";
import { seedProduct } from "./seed.ts";

const ROUNDS = 3;

/** Prints the buyer's page on slow networks, beside the same page drawn by the browser. */
export async function benchWeb(): Promise<void> {
  const product = await startProduct();
  const { executablePath, args, env } = await prepareChromium();
  const browser = await chromium.launch({ executablePath, args, env });
  const peer = await startPeer(product.appUrl);
  try {
    const { reference, worldUrl } = await seedProduct(product);
    const path = `/?tgWebAppStartParam=${reference}`;
    console.log(`buyer's page, 360 × 740, median of ${ROUNDS}, interleaved (world at ${worldUrl})`);
    for (const condition of CONDITIONS) {
      const ours: Measure[] = [];
      const theirs: Measure[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        ours.push(await measurePage(browser, product.appUrl + path, condition));
        theirs.push(await measurePage(browser, peer.url + path, condition));
      }
      print(condition, median(ours), median(theirs));
    }
  } finally {
    await browser.close();
    await peer.close();
    await product.stop();
  }
}

function print(condition: Condition, ours: Measure, theirs: Measure): void {
  const kB = (bytes: number) => `${(bytes / 1024).toFixed(1)} kB`;
  console.log(`\n${condition.name}`);
  console.log(`  largest paint        ${ours.largestPaintMs.toFixed(0)} ms`);
  console.log(`  … drawn by browser   ${theirs.largestPaintMs.toFixed(0)} ms`);
  console.log(
    `  ratio                ${(theirs.largestPaintMs / ours.largestPaintMs).toFixed(2)} ×`,
  );
  console.log(`  layout shift         ${ours.layoutShift.toFixed(3)}`);
  console.log(`  blocking             ${ours.blockingMs.toFixed(0)} ms`);
  console.log(`  HTML and CSS         ${kB(ours.documentBytes)}`);
  console.log(`  JavaScript           ${kB(ours.scriptBytes)}`);
  console.log(`  … before the paint   ${kB(ours.scriptBytesBeforePaint)}`);
  console.log(`  image                ${kB(ours.imageBytes)}`);
}

/** The run in the middle by its largest paint. */
function median(measures: readonly Measure[]): Measure {
  const sorted = [...measures].sort((a, b) => a.largestPaintMs - b.largestPaintMs);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (!middle) throw new Error("nothing was measured");
  return middle;
}
