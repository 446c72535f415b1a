import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Browser, expect, test } from "@playwright/test";
import { fontsFolder } from "../tools/browser/chromium.ts";
import { inBrowser } from "./browser.ts";

const WORDS = "Formation complète « Élevage rentable » : 1 000 000 FCFA";
const FAMILIES = ["sans-serif", "system-ui", "monospace", "serif"];
const DEJAVU = join(
  dirname(createRequire(import.meta.url).resolve("dejavu-fonts-ttf/package.json")),
  "ttf",
);

test("the browser measures text with its own letters, whatever fonts the machine has", async () => {
  const own = await inBrowser(widthOfOpenSans);
  const here = await inBrowser(widths);
  const elsewhere = await onMachineWithDejavu(() => inBrowser(widths));
  expect(here).toEqual(FAMILIES.map(() => own));
  expect(elsewhere).toEqual(here);
});

test("the wider letters are DejaVu Sans, and clearly wider", async () => {
  const [packaged] = await inBrowser(widths);
  const [wide] = await inBrowser(widths, "dejavu");
  expect(wide).toBeGreaterThan((packaged ?? 0) * 1.08);
});

/** The width of the words in each family a page may ask for. */
async function widths(browser: Browser): Promise<number[]> {
  const page = await browser.newPage();
  await page.setContent(
    FAMILIES.map((family) => `<p><span style="font: 20px ${family}">${WORDS}</span></p>`).join(""),
  );
  return page
    .locator("span")
    .evaluateAll((all) => all.map((each) => (each as HTMLElement).offsetWidth));
}

/** The width of the words in the packaged file itself, given to the page as bytes. */
async function widthOfOpenSans(browser: Browser): Promise<number> {
  const file = readFileSync(join(fontsFolder(), "Open_Sans", "OpenSans-Regular.ttf"));
  const page = await browser.newPage();
  await page.setContent(`<style>@font-face { font-family: given;
    src: url(data:font/ttf;base64,${file.toString("base64")}) }</style>
    <span style="font: 20px given">${WORDS}</span>`);
  await page.evaluate(() => document.fonts.ready);
  return page.locator("span").evaluate((span) => (span as HTMLElement).offsetWidth);
}

/** As on a machine whose only fonts are DejaVu: the system's, the person's, and by variables. */
async function onMachineWithDejavu<T>(run: () => Promise<T>): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), "sesame-fonts-"));
  const settings = join(home, "fonts.conf");
  mkdirSync(join(home, ".local", "share"), { recursive: true });
  for (const place of [".fonts", join(".local", "share", "fonts")]) {
    symlinkSync(DEJAVU, join(home, place));
  }
  writeFileSync(settings, `<fontconfig><dir>${DEJAVU}</dir></fontconfig>`);
  const before = { ...process.env };
  const machine = { HOME: home, XDG_DATA_HOME: join(home, ".local", "share") };
  Object.assign(process.env, machine, { FONTCONFIG_FILE: settings, FONTCONFIG_PATH: home });
  try {
    return await run();
  } finally {
    process.env = before;
    rmSync(home, { recursive: true });
  }
}
