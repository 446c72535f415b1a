import { test as base, expect } from "@playwright/test";
import { type StartedProduct, startProduct } from "../tools/launch/start-product.ts";

/** Journeys run on the whole product, as `npm start` runs it, on ports and data of their own. */
export const test = base.extend<object, { product: StartedProduct }>({
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

export { expect };
