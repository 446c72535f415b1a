import { type Browser, chromium } from "@playwright/test";
import { grainyPhotograph, launchOf, setFixture } from "../../e2e/fixture.ts";
import { prepareChromium } from "../../tools/browser/chromium.ts";
import { startProduct } from "../../tools/launch/start-product.ts";
import { median, milliseconds, print, type Row, rowOf, say } from "../figures.ts";
import { CONDITIONS, type Condition, measureBuyer, measureSeller } from "./measure.ts";

const ROUNDS = 3;
const count = rowOf("");

/** The parts that the command may name; without a name both are measured. */
const WHO = ["acheteur", "vendeur"] as const;

/**
 * Prints what buyers and sellers wait for on slow networks. What travels is weighed by
 * e2e/weight.spec.ts.
 */
export async function benchWeb(asked: readonly string[] = []): Promise<void> {
  const unknown = asked.filter((who) => !WHO.some((known) => known === who));
  if (unknown.length > 0) throw new Error(`${unknown.join(", ")}: ${WHO.join(" or ")}`);
  const measures = (who: (typeof WHO)[number]) => asked.length === 0 || asked.includes(who);
  const product = await startProduct();
  const { executablePath, args, env } = await prepareChromium();
  const browser = await chromium.launch({ executablePath, args, env });
  try {
    const fixture = await setFixture(product, {
      group: "Club Trading Abidjan",
      title: "Signaux trading : le club privé",
      description: "Analyses du matin, signaux en direct, salon d'entraide. ".repeat(4),
      image: await grainyPhotograph(),
    });
    const page = `${fixture.app}/?tgWebAppStartParam=${fixture.product.reference}`;
    const app = await launchOf(product, { personId: fixture.seller.person.id, bot: "seller" });
    if (measures("acheteur")) await benchBuyer(browser, page);
    if (measures("vendeur")) await benchSeller(browser, app);
  } finally {
    await browser.close();
    await product.stop();
  }
}

const benchBuyer = (browser: Browser, url: string) =>
  rounds(
    "buyer's page",
    (condition) => measureBuyer(browser, url, condition),
    (middle, { aims }) => [
      milliseconds("largest paint", middle("largestPaintMs"), { atMost: aims.largestPaint }),
      count("layout shift", middle("layoutShift"), { atMost: 0.02 }),
      milliseconds("blocking", middle("blockingMs"), { atMost: aims.blocking }),
      count("scripts asked for before the paint", middle("earlyScripts"), { atMost: 0 }),
    ],
  );

const benchSeller = (browser: Browser, url: string) =>
  rounds(
    "seller's app",
    (condition) => measureSeller(browser, url, condition),
    (middle, { aims }) => [
      milliseconds("first opening, home painted", middle("firstMs"), { atMost: aims.sellerFirst }),
      milliseconds("second opening, painted from cache", middle("secondMs"), { atMost: 300 }),
      milliseconds("a tap answered, slowest of five", middle("tapMs"), { atMost: 100 }),
    ],
  );

async function rounds<K extends string>(
  what: string,
  measure: (condition: Condition) => Promise<Record<K, number>>,
  lines: (middle: (key: K) => number, condition: Condition) => readonly Row[],
): Promise<void> {
  for (const condition of CONDITIONS) {
    const measures: Record<K, number>[] = [];
    for (let round = 0; round < ROUNDS; round += 1) measures.push(await measure(condition));
    print(`\n${what}, ${condition.name}, 360 × 740, median of ${ROUNDS}`);
    const middle = (key: K) => median(measures.map((one) => one[key]));
    say(...lines(middle, condition));
  }
}
