import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { demoEnvironment, demoSecrets, readSettings } from "./settings.ts";

let dataDir: string;
const file = () => join(dataDir, "demo.json");

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "demo-"));
});

afterEach(() => rmSync(dataDir, { recursive: true }));

describe("what the demo invents", () => {
  test("is kept for the next start, and read by its owner alone", () => {
    const made = demoSecrets(dataDir);
    expect(demoSecrets(dataDir)).toEqual(made);
    expect(statSync(file()).mode & 0o077).toBe(0);
  });

  test("is completed when a provider came since", () => {
    const { paydunyaToken: _token, fedapaySecretKey: _key, ...older } = demoSecrets(dataDir);
    writeFileSync(file(), JSON.stringify(older));
    const made = demoSecrets(dataDir);
    expect(made).toMatchObject(older);
    expect(made.paydunyaToken).toMatch(/^\S{20,}$/);
    expect(JSON.parse(readFileSync(file(), "utf8"))).toEqual(made);
  });
});

test("the demo's server and emulators have the same keys, and every provider is an emulator", () => {
  const settings = readSettings({ PORT: "4000", DATA_DIR: dataDir });
  const env = { PAYDUNYA_API_ROOT: "https://app.paydunya.com" };
  const { server, emulators, emulatorRoot } = demoEnvironment(settings, env);
  const keys = ["MONEROO_SECRET_KEY", "PAYDUNYA_MASTER_KEY", "FEDAPAY_WEBHOOK_SECRET"];
  for (const name of [...keys, "KKIAPAY_WEBHOOK_SECRET", "CRYPTOPAY_TOKEN"]) {
    expect(server[name]).toBe(emulators[name]);
  }
  expect([
    server.TELEGRAM_API_ROOT,
    server.MONEROO_API_ROOT,
    server.PAYDUNYA_API_ROOT,
    server.FEDAPAY_API_ROOT,
  ]).toEqual(Array.from({ length: 4 }, () => emulatorRoot));
  // Large amounts want two agents.
  expect(server.AGENT_TELEGRAM_IDS?.split(",")).toHaveLength(2);
});
