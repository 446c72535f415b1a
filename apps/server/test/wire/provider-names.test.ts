import { readdirSync, readFileSync } from "node:fs";
import { KNOWN_PROVIDERS, PAYMENT_PROVIDERS } from "@sesame/contract/checkout";
import { describe, expect, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { collectKeys, KEY, payoutKeys } from "./settings.ts";

/** What no type asks for when a provider is added (docs/adding-a-provider.md). */

const ROOT = new URL("../../../../", import.meta.url);
const FOLDERS = new URL("packages/providers/src/", ROOT);
const namesIn = (place: URL) => readdirSync(place, { withFileTypes: true });
const KNOWN = [...KNOWN_PROVIDERS].sort();

test("each provider that is named has its folder, and each folder is named", () => {
  const folders = namesIn(FOLDERS).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).sort()).toEqual(KNOWN);
  expect(Object.keys(PAYMENT_PROVIDERS).sort()).toEqual(KNOWN);
});

describe.each(KNOWN)("%s", (id) => {
  const folder = new URL(`${id}/`, FOLDERS);
  const files = namesIn(folder).map(({ name }) => name);

  test("has translations, recorded answers and tests of its own", () => {
    expect(files).toEqual(expect.arrayContaining(["index.ts", "recorded"]));
    expect(files.some((name) => name.endsWith(".test.ts"))).toBe(true);
    expect(namesIn(new URL("recorded/", folder)).length).toBeGreaterThan(0);
  });

  test("has its account in the ledger", () => {
    const tables = readFileSync(new URL("database/tables.sql", ROOT), "utf8");
    expect(tables).toContain(`'provider:${id}'`);
  });

  test("has settings that open it", () => {
    const config: object = readConfig({
      DATABASE_URL: "postgres://nobody@127.0.0.1:1/nothing",
      SECRETS_KEY: KEY,
      SELLER_BOT_TOKEN: "1:a",
      MONEROO_SECRET_KEY: "a-good-secret-key-of-moneroo",
      MONEROO_WEBHOOK_SECRET: "a-good-webhook-secret-of-moneroo",
      ...payoutKeys(),
      ...collectKeys(),
    });
    const settings = { ...config, stars: Reflect.get(config, "starsEnabled") };
    expect(Reflect.get(settings, id)).toBeTruthy();
  });
});
