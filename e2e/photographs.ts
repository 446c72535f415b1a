import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "@playwright/test";
import { ROOT } from "../tools/launch/build.ts";
import { onProduct } from "./browser.ts";
import { misfits, sizeText } from "./fits.ts";
import { AS_PEOPLE_HAVE_IT, PHONE, type Screen } from "./rooms.ts";
import { everyScreen } from "./screens.ts";
import { settled } from "./settled.ts";

const FOLDER = join(ROOT, "photographs");

/**
 * Every screen, to be looked at: light, dark, at 320 px and at 200 % text, and what does not fit
 * in a text beside them. `wanted`: only the screens whose name contains it.
 */
export async function takePhotographs(wanted: string): Promise<void> {
  await onProduct(async (product, browser) => {
    await rm(FOLDER, { recursive: true, force: true });
    await mkdir(FOLDER, { recursive: true });
    const chosen = (await everyScreen(product)).filter(({ name }) => name.includes(wanted));
    const halves = [0, 1].map((half) => chosen.filter((_, at) => at % 2 === half));
    const found = await Promise.all(halves.map((half) => photographEach(browser, half)));
    await writeFile(join(FOLDER, "misfits.txt"), found.flat().join("\n"));
    console.log(`${FOLDER}: ${chosen.length} screens, ${found.flat().length} misfits`);
  });
}

async function photographEach(browser: Browser, screens: readonly Screen[]): Promise<string[]> {
  const page = await browser.newPage({ ...AS_PEOPLE_HAVE_IT, viewport: PHONE });
  const found: string[] = [];
  for (const screen of screens) {
    try {
      found.push(...(await photographOne(page, screen)));
    } catch (error) {
      found.push(`${screen.name}: not reached, ${(error as Error).message.split("\n")[0]}`);
    }
  }
  await page.close();
  return found;
}

async function photographOne(page: Page, screen: Screen): Promise<string[]> {
  const name = screen.name.replaceAll(/[^\w]+/g, "-");
  /** Whole; what lies over a screen, as it lies. */
  const shoot = async (variant: string) => {
    await settled(page);
    const over = await page.locator("dialog[open]").count();
    const path = join(FOLDER, `${name}.${variant}.png`);
    await page.screenshot({ path, fullPage: over === 0, animations: "disabled" });
  };
  await screen.open(page, "dark");
  await shoot("2-dark");
  await screen.open(page, "light");
  await shoot("1-light");
  const found = await misfits(page);
  const before = page.viewportSize() ?? PHONE;
  await page.setViewportSize({ width: 320, height: before.height });
  await shoot("3-narrow");
  await page.setViewportSize({ width: Math.min(360, before.width), height: before.height });
  await sizeText(page, "32px");
  await shoot("4-large");
  await page.setViewportSize(before);
  return found.map((what) => `${screen.name}: ${what}`);
}
