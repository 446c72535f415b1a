import { dirname } from "node:path";
import { defineConfig } from "@playwright/test";
import { prepareChromium } from "../tools/browser/chromium.ts";
import { drawJourneys } from "../tools/testing/test-files.ts";

const drawn = drawJourneys(dirname(import.meta.dirname), process.env);
const { executablePath, args, env } = await prepareChromium();

export default defineConfig({
  testDir: ".",
  testMatch: drawn.files,
  grepInvert: drawn.leftOut,
  // A folder of its own: Playwright empties what it is given.
  outputDir: "../test-results/playwright",
  snapshotPathTemplate: "{testDir}/gallery-pictures/{arg}{ext}",
  // Half of a journey is waiting: two at a time, each on a product of its own. Test by test, so that
  // neither is left with a long file at the end.
  workers: 2,
  fullyParallel: true,
  retries: 0,
  // What a slow machine may take: a journey that is right never waits for it.
  timeout: 270_000,
  expect: { timeout: 45_000 },
  use: {
    actionTimeout: 60_000,
    // The three phones whole: what is fixed at their bottom must be inside the window.
    viewport: { width: 1440, height: 960 },
    locale: "fr-FR",
    timezoneId: "Africa/Abidjan",
    // A frame that slides in is tapped where it was a moment ago.
    contextOptions: { reducedMotion: "reduce" },
    // What was done and asked, without a film of it: filming every screen was a fifth of the time.
    trace: { mode: "retain-on-failure", screenshots: false, snapshots: false },
    launchOptions: { executablePath, args, env },
  },
});
