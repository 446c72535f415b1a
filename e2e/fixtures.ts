import { basename } from "node:path";
import { test as base, expect, type Page } from "@playwright/test";
import { FAST_MS } from "../apps/web/src/features/checkout/use-order.ts";
import { BANNER_MS, MONEY_BANNER_MS } from "../apps/emulators/src/pages/banners.ts";
import { type StartedProduct, startProduct } from "../tools/launch/start-product.ts";
import { AS_PEOPLE_HAVE_IT, DESKTOP, PHONE } from "./rooms.ts";
import { FATOU } from "./fixture.ts";
import { type AppAt, reopen } from "./steps.ts";

/** Journeys whose pages keep the product's own pace; the last one looks at a banner. */
const AT_ITS_PACE = ["story.spec.ts", "payment.spec.ts", "mobile-money.spec.ts"];

type Tools = {
  /** The sellers' app as a page of its own on a phone. Closed with the journey. */
  openApp(at: AppAt): Promise<Page>;
  /** The back office in the same way, or on a desktop; the operator's, at its queue. */
  openBackOffice(at?: Partial<AppAt> & { readonly wide?: boolean }): Promise<Page>;
};

/** Journeys run on the whole product, as `npm start` runs it, on ports and data of their own. */
export const test = base.extend<Tools, { product: StartedProduct }>({
  context: async ({ context }, use, { file }) => {
    if (!AT_ITS_PACE.includes(basename(file))) {
      await context.addInitScript(hurry, { again: FAST_MS, banners: [BANNER_MS, MONEY_BANNER_MS] });
    }
    await use(context);
  },
  openBackOffice: async ({ browser, product }, use) => {
    const opened: Page[] = [];
    await use(async ({ wide = false, ...at } = {}) => {
      const viewport = wide ? DESKTOP : PHONE;
      const page = await browser.newPage({ ...AS_PEOPLE_HAVE_IT, viewport });
      opened.push(page);
      await reopen(page, product, { person: FATOU, path: "/bureau", ...at });
      return page;
    });
    await Promise.all(opened.map((page) => page.context().close()));
  },
  openApp: ({ openBackOffice }, use) => use(openBackOffice),
  product: [
    // Playwright reads a fixture's needs from this pattern, and this one has none.
    async ({}, use) => {
      const product = await startProduct();
      await use(product);
      await product.stop();
    },
    { scope: "worker", timeout: 360_000 },
  ],
});

type Periods = { readonly again: number; readonly banners: readonly number[] };

/** Runs in the page: a buyer's order is asked for again, and a phone's banner leaves, at once. */
function hurry({ again, banners }: Periods): void {
  const { setTimeout } = window;
  window.setTimeout = ((run: () => void, ms = 0, ...rest: unknown[]) => {
    const asksAgain = ms === again && document.getElementById("sesame-page") !== null;
    return setTimeout(run, asksAgain || banners.includes(ms) ? 250 : ms, ...rest);
  }) as typeof setTimeout;
}

export { expect };
