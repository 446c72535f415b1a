import { type Browser, chromium } from "@playwright/test";
import { type Letters, prepareChromium } from "../tools/browser/chromium.ts";
import { type StartedProduct, startProduct } from "../tools/launch/start-product.ts";

/** Runs in a browser of its own, with the packaged letters unless others are given. */
export async function inBrowser<T>(
  run: (browser: Browser) => Promise<T>,
  letters?: Letters,
): Promise<T> {
  const { executablePath, args, env } = await prepareChromium(letters);
  const browser = await chromium.launch({ executablePath, args, env });
  try {
    return await run(browser);
  } finally {
    await browser.close();
  }
}

/** The same, on a product of its own. */
export async function onProduct(
  run: (product: StartedProduct, browser: Browser) => Promise<void>,
): Promise<void> {
  const product = await startProduct();
  try {
    await inBrowser((browser) => run(product, browser));
  } finally {
    await product.stop();
  }
}
