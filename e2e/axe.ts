import AxeBuilder from "@axe-core/playwright";
import type { Browser, Page } from "@playwright/test";
import type { Letters } from "../tools/browser/chromium.ts";
import { inBrowser } from "./browser.ts";
import { misfits } from "./fits.ts";
import { AS_PEOPLE_HAVE_IT, PHONE, type Scheme, type Screen } from "./rooms.ts";
import { quiet } from "./settled.ts";

const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** What only a layout decides: with other letters it may come out otherwise. */
const OF_LAYOUT = ["target-size", "scrollable-region-focusable"];

export type Look = { readonly letters: Letters; readonly schemes: readonly Scheme[] };

/** What axe and the measures hold against these screens, each in one line. */
export async function walk(screens: readonly Screen[], look: Look): Promise<string[]> {
  const { letters, schemes } = look;
  const waiting = [...screens];
  const found: string[] = [];
  /** Behind which door each of the two pages is. */
  const doors: (string | undefined)[] = [];
  const walker = async (browser: Browser, nth: number): Promise<void> => {
    const page = await browser.newPage({ ...AS_PEOPLE_HAVE_IT, viewport: PHONE });
    // First another screen of the person this page shows, then one of whom the other page does not.
    const next = () => {
      const at = (door: (one: Screen) => boolean) => waiting.findIndex(door);
      const own = at(({ inside }) => inside !== undefined && inside.door === doors[nth]);
      const free = at(({ inside }) => !doors.includes(inside?.door));
      return waiting.splice(own >= 0 ? own : Math.max(free, 0), 1)[0];
    };
    for (let screen = next(); screen; screen = next()) {
      const { name } = screen;
      // From one screen of a person to another as people go, where nothing was turned dark.
      const door = schemes.length === 1 ? screen.inside?.door : undefined;
      const stays = door !== undefined && door === doors[nth];
      doors[nth] = door;
      const here = await lookAt(page, screen, { schemes, stays }).catch((error: Error) => {
        doors[nth] = undefined;
        return [`not seen: ${error.message}`];
      });
      found.push(...here.map((what) => `${name}, ${letters} letters, ${what}`));
    }
  };
  // Two at once, each with storage of its own: half of a walk is waiting.
  await inBrowser((browser) => Promise.all([walker(browser, 0), walker(browser, 1)]), letters);
  return found;
}

/** The second scheme on the same opening; where a screen cannot turn, it is opened again. */
async function lookAt(
  page: Page,
  screen: Screen,
  { schemes, stays }: { schemes: readonly Scheme[]; stays: boolean },
): Promise<string[]> {
  const found: string[] = [];
  for (const [nth, scheme] of schemes.entries()) {
    if (nth > 0 && scheme === "dark" && screen.darken) await screen.darken(page);
    else if (stays) await screen.inside?.go(page);
    else await screen.open(page, scheme);
    const here = await findings(page, nth === 0 ? "everything" : "what colours change");
    found.push(...here.map((what) => `${scheme}: ${what}`));
  }
  // What is laid out for a desktop has its own screen for a phone; the emulators are used on a desktop.
  const isPhone = (page.viewportSize()?.width ?? 0) <= PHONE.width;
  const small = isPhone && !screen.name.startsWith("emulators");
  return [...found, ...(small ? await misfits(page) : [])];
}

/** What axe holds against the page, each in one line. */
export async function findings(
  page: Page,
  about: "everything" | "what colours change" = "everything",
): Promise<string[]> {
  await quiet(page);
  // Without frames all is said in the page itself: in another one, opened to gather what each frame
  // found, a screen takes three times as long.
  const alone = page.frames().length === 1;
  const axe = new AxeBuilder({ page, ...(alone ? { axeSource: ";" } : {}) })
    .options({ resultTypes: ["violations"] })
    .setLegacyMode(alone);
  // To a document that has it already it is not sent again, which takes longer than it runs.
  if (alone && !(await page.evaluate(() => "axe" in window))) {
    await page.evaluate(new AxeBuilder({ page })["script"]());
  }
  const asked =
    about === "everything" ? axe.withTags(WCAG) : axe.withRules(["color-contrast", ...OF_LAYOUT]);
  const { violations } = await asked.analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => {
      const why = failureSummary?.split("\n").slice(1).join(" ").trim();
      return `${id}: ${html.slice(0, 160)} — ${why}`;
    }),
  );
}
