import { readFile } from "node:fs/promises";
import { join, normalize } from "node:path";
import { type BrowserContext, expect, type Locator, type Page, test } from "@playwright/test";
import sharp from "sharp";
import { fontsFolder } from "../tools/browser/chromium.ts";
import { buildPages, ROOT } from "../tools/launch/build.ts";
import { misfits } from "./fits.ts";
import { settled } from "./settled.ts";

/**
 * The design system photographed part by part, all parts of a scheme on one sheet, compared with the
 * sheets kept beside. Renew them by `npm run gallery`, and look at both before they are committed.
 */

const HOME = "http://gallery.test/galerie/gallery.html";
const BUILT = join(ROOT, "apps", "web", "dist", "gallery");
/** A colour that moved by little is a colour that moved; letters' edges may differ by a hair. */
const CLOSE = { threshold: 0.02, maxDiffPixels: 12 };

const WIDTH_PX = 360;
const COLUMN_PX = 2_400;

test.use({ viewport: { width: WIDTH_PX, height: 740 }, deviceScaleFactor: 1 });

test.beforeAll(() => void buildPages(["gallery"]));

test.describe("the design system", () => {
  for (const scheme of ["light", "dark"] as const) {
    test(`looks as it did, ${scheme}`, async ({ page, context }) => {
      await serveGallery(context);
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
      await page.goto(HOME);
      await expect(page.locator("[data-part]").first()).toBeVisible();
      const parts: Buffer[] = [];
      for (const name of ["Ouvrir une feuille", "Poser une question"]) {
        const opener = page.getByRole("button", { name });
        await opener.click();
        parts.push(await shoot(page.getByRole("dialog")));
        await page.keyboard.press("Escape");
        await expect(opener).toBeFocused();
      }
      await forceStates(page);
      parts.push(...(await shootParts(page)));
      // A word stays as long as its picture takes, however slow the machine.
      await page.evaluate(() => Object.assign(window, { setTimeout: () => 0 }));
      await page.getByRole("button", { name: "Dire que c'est refusé" }).click();
      const word = page.getByRole("status").filter({ hasText: "Connexion impossible" });
      parts.push(await shoot(word));
      await page.getByRole("button", { name: "Ouvrir une feuille" }).click();
      await page.getByRole("button", { name: "Refuser par-dessus" }).click();
      await settled(page);
      parts.push(await page.screenshot({ animations: "disabled", caret: "hide" }));
      expect(await layOut(parts)).toMatchSnapshot(`${scheme}.png`, CLOSE);
    });
  }

  test("holds at 320 px and at 200 % text", async ({ page, context }) => {
    await serveGallery(context);
    await page.goto(HOME);
    await expect(page.locator("[data-part]").first()).toBeVisible();
    expect(await misfits(page)).toEqual([]);
  });
});

async function shoot(place: Locator): Promise<Buffer> {
  await settled(place.page());
  return place.screenshot({ animations: "disabled", caret: "hide" });
}

/** Each part alone on the page: what grows moves no other by the hair that changes its letters. */
async function shootParts(page: Page): Promise<Buffer[]> {
  const names = await page
    .locator("[data-part]")
    .evaluateAll((all) => all.map((part) => part.getAttribute("data-part") ?? ""));
  const pictures: Buffer[] = [];
  for (const name of names) {
    const clip = await page.locator("*:has(> [data-part]) > *").evaluateAll(showOnly, name);
    await settled(page);
    pictures.push(await page.screenshot({ clip, fullPage: true, caret: "hide" }));
  }
  await page.locator("*:has(> [data-part]) > *").evaluateAll(showOnly, null);
  return pictures;
}

/** Runs in the page. Null: all. Answers where the one shown stands. */
function showOnly(all: Element[], name: string | null) {
  const shown = all.find((each) => each.getAttribute("data-part") === name) ?? document.body;
  for (const each of all as HTMLElement[]) {
    const hides = name !== null && each !== shown && !each.matches("[popover]");
    each.style.display = hides ? "none" : "";
  }
  const { x, y, width, height } = shown.getBoundingClientRect();
  return { x, y: Math.round(y + scrollY), width, height: Math.floor(height) };
}

/** Under each other in columns, as one picture; each part in colours of its own, few and exact. */
async function layOut(parts: readonly Buffer[]): Promise<Buffer> {
  const placed: { input: Buffer; left: number; top: number }[] = [];
  let [left, top, bottom] = [0, 0, 0];
  for (const part of parts) {
    const input = await sharp(part).removeAlpha().png({ palette: true, effort: 10 }).toBuffer();
    const { height } = await sharp(input).metadata();
    if (top > 0 && top + height > COLUMN_PX) {
      left += WIDTH_PX;
      top = 0;
    }
    placed.push({ input, left, top });
    top += height;
    bottom = Math.max(bottom, top);
  }
  const size = {
    width: left + WIDTH_PX,
    height: bottom,
    channels: 3,
    background: "#808080",
  } as const;
  return sharp({ create: size })
    .composite(placed)
    .removeAlpha()
    .png({ compressionLevel: 9 })
    .toBuffer();
}

/** The built files, as the demo's emulators give them; whatever else is asked is a mistake. */
async function serveGallery(context: BrowserContext): Promise<void> {
  await context.route("**/*", async (route) => {
    const { pathname } = new URL(route.request().url());
    const path = normalize(pathname.replace(/^\/galerie\//, ""));
    const body = await readFile(join(BUILT, path));
    await route.fulfill({ body, contentType: TYPES[path.split(".").at(-1) ?? ""] ?? "" });
  });
  // The packaged browser's own letters, whatever else the machine has.
  const font = await readFile(join(fontsFolder(), "Open_Sans", "OpenSans-Regular.ttf"));
  await context.addInitScript(
    ({ source }) => {
      addEventListener("DOMContentLoaded", () => {
        const style = document.createElement("style");
        style.textContent = `@font-face { font-family: pictures; src: url(${source}); }
          html, html * { font-family: pictures !important; font-synthesis: weight; }`;
        document.head.append(style);
      });
    },
    { source: `data:font/ttf;base64,${font.toString("base64")}` },
  );
}

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html",
  js: "text/javascript",
  css: "text/css",
  svg: "image/svg+xml",
};

/** As under a finger or at the keyboard: what stands in `data-force` is in those states. */
async function forceStates(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("DOM.enable");
  await session.send("CSS.enable");
  const { root } = await session.send("DOM.getDocument");
  const states = await page
    .locator("[data-force]")
    .evaluateAll((all) => [...new Set(all.map((each) => each.getAttribute("data-force") ?? ""))]);
  for (const state of states) {
    const { nodeIds } = await session.send("DOM.querySelectorAll", {
      nodeId: root.nodeId,
      selector: `[data-force="${state}"] :is(button, a, input, [class*="box"])`,
    });
    for (const nodeId of nodeIds) {
      const forcedPseudoClasses = state.split(" ");
      await session.send("CSS.forcePseudoState", { nodeId, forcedPseudoClasses });
    }
  }
}
