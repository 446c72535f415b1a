import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { everyScreen, type Scheme } from "./screens.ts";

const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

test("axe finds nothing on any screen, light or dark", async ({ browser, product }) => {
  test.setTimeout(180_000);
  const screens = await everyScreen(product);
  const context = await browser.newContext({
    viewport: { width: 360, height: 740 },
    reducedMotion: "reduce",
    locale: "fr-FR",
  });
  const page = await context.newPage();
  const found: string[] = [];
  for (const screen of screens) {
    for (const scheme of ["light", "dark"] as const satisfies Scheme[]) {
      await test.step(`${screen.name}, ${scheme}`, async () => {
        await screen.open(page, scheme);
        found.push(...(await findings(page)).map((what) => `${screen.name}, ${scheme}: ${what}`));
      });
    }
  }
  await context.close();
  expect(found).toEqual([]);
});

/** What axe holds against the page, each in one line. */
async function findings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).withTags(WCAG).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => {
      const why = failureSummary?.split("\n").slice(1).join(" ").trim();
      return `${id}: ${html.slice(0, 160)} — ${why}`;
    }),
  );
}
