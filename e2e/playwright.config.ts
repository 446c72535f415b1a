import { defineConfig } from "@playwright/test";
import { prepareChromium } from "../tools/browser/chromium.ts";

const { executablePath, args, env } = await prepareChromium();

export default defineConfig({
  testDir: ".",
  testMatch: "*.spec.ts",
  outputDir: "../test-results",
  workers: 1,
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  use: {
    locale: "fr-FR",
    timezoneId: "Africa/Abidjan",
    trace: "retain-on-failure",
    launchOptions: { executablePath, args, env },
  },
});
