import AxeBuilder from "@axe-core/playwright";
import type { Browser, Page } from "@playwright/test";
import { misfits } from "./fits.ts";
import type { Scheme, Screen } from "./rooms.ts";

const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

const PHONE = { width: 360, height: 740 };

/** Two walks at once, each with storage of its own: two cores. */
export async function walkAll(browser: Browser, screens: readonly Screen[]): Promise<string[]> {
  const halves = [0, 1].map((half) => screens.filter((_, at) => at % 2 === half));
  const found = await Promise.all(halves.map((half) => walk(browser, half)));
  return found.flat();
}

async function walk(browser: Browser, screens: readonly Screen[]): Promise<string[]> {
  const context = await browser.newContext({
    viewport: PHONE,
    reducedMotion: "reduce",
    locale: "fr-FR",
  });
  const page = await context.newPage();
  const found: string[] = [];
  for (const screen of screens) {
    for (const scheme of ["light", "dark"] as const) {
      if (scheme === "dark" && screen.darken) await screen.darken(page);
      else await screen.open(page, scheme);
      const here = await findings(page, scheme);
      // Colours do not change what fits; what is laid out for a desk has its screen for a phone,
      // and the emulated world is worked at one.
      const small = isPhone(page) && !screen.name.startsWith("world");
      if (scheme === "light" && small) here.push(...(await misfits(page)));
      found.push(...here.map((what) => `${screen.name}, ${scheme}: ${what}`));
    }
  }
  await context.close();
  return found;
}

function isPhone(page: Page): boolean {
  return (page.viewportSize()?.width ?? 0) <= PHONE.width;
}

/** What axe holds against the page, each in one line. Only the colours differ in the dark. */
export async function findings(page: Page, scheme: Scheme): Promise<string[]> {
  // Without frames all is said in the page itself: in another one, opened to gather what each frame
  // found, a screen takes three times as long.
  const axe = new AxeBuilder({ page }).setLegacyMode(page.frames().length === 1);
  const asked = scheme === "light" ? axe.withTags(WCAG) : axe.withRules(["color-contrast"]);
  const { violations } = await asked.analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => {
      const why = failureSummary?.split("\n").slice(1).join(" ").trim();
      return `${id}: ${html.slice(0, 160)} — ${why}`;
    }),
  );
}
