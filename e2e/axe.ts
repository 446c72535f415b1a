import AxeBuilder from "@axe-core/playwright";
import { type Browser, chromium, type Page } from "@playwright/test";
import { prepareChromium } from "../tools/browser/chromium.ts";
import { misfits } from "./fits.ts";
import type { Scheme, Screen } from "./rooms.ts";

const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

const PHONE = { width: 360, height: 740 };

/** What only a layout decides: with other letters it may come out otherwise. */
const OF_LAYOUT = ["target-size", "scrollable-region-focusable"];

/** Light by the packaged letters, and dark by wider ones: each screen is laid out by both. */
type Eyes = { readonly light: Page; readonly dark: Page };

/** Two walks at once, each with storage of its own: two cores. */
export async function walkAll(browser: Browser, screens: readonly Screen[]): Promise<string[]> {
  const halves = [0, 1].map((half) => screens.filter((_, at) => at % 2 === half));
  const wide = await launchWide();
  try {
    const walks = halves.map(async (half) =>
      walk({ light: await openPage(browser), dark: await openPage(wide) }, half),
    );
    return (await Promise.all(walks)).flat();
  } finally {
    await wide.close();
  }
}

async function launchWide(): Promise<Browser> {
  const { executablePath, args, env } = await prepareChromium("dejavu");
  return chromium.launch({ executablePath, args, env });
}

async function openPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({
    viewport: PHONE,
    reducedMotion: "reduce",
    locale: "fr-FR",
    timezoneId: "Africa/Abidjan",
  });
  return context.newPage();
}

async function walk(eyes: Eyes, screens: readonly Screen[]): Promise<string[]> {
  const found: string[] = [];
  for (const screen of screens) {
    for (const scheme of ["light", "dark"] as const) {
      const page = eyes[scheme];
      await show(page, screen, scheme);
      const here = await findings(page, scheme);
      // What is laid out for a desk has its screen for a phone, and the emulated world is worked
      // at one.
      const small = isPhone(page) && !screen.name.startsWith("world");
      if (small) here.push(...(await misfits(page)));
      const letters = scheme === "light" ? "packaged letters" : "DejaVu Sans";
      found.push(...here.map((what) => `${screen.name}, ${scheme}, ${letters}: ${what}`));
    }
  }
  for (const page of Object.values(eyes)) await page.context().close();
  return found;
}

/** Where a screen can turn dark while it is open, it is shown light and then turned. */
async function show(page: Page, screen: Screen, scheme: Scheme): Promise<void> {
  if (scheme === "light" || !screen.darken) return screen.open(page, scheme);
  await screen.open(page, "light");
  await screen.darken(page);
}

function isPhone(page: Page): boolean {
  return (page.viewportSize()?.width ?? 0) <= PHONE.width;
}

/** What axe holds against the page, each in one line. In the dark: colours and layout alone. */
export async function findings(page: Page, scheme: Scheme): Promise<string[]> {
  // Without frames all is said in the page itself: in another one, opened to gather what each frame
  // found, a screen takes three times as long.
  const axe = new AxeBuilder({ page }).setLegacyMode(page.frames().length === 1);
  const asked =
    scheme === "light" ? axe.withTags(WCAG) : axe.withRules(["color-contrast", ...OF_LAYOUT]);
  const { violations } = await asked.analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => {
      const why = failureSummary?.split("\n").slice(1).join(" ").trim();
      return `${id}: ${html.slice(0, 160)} — ${why}`;
    }),
  );
}
