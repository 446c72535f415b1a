import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "./build.ts";

const LOCK = join(ROOT, "package-lock.json");

describe("the installation", () => {
  test("tells npm the version of the packaged Node when npm runs under an older one", () => {
    expect(versionSeenByNpm("18.20.4")).toBe(`v${packagedVersion()}`);
  });

  test("leaves npm alone under a Node that is recent enough", () => {
    expect(versionSeenByNpm("24.0.0")).toBe(process.version);
  });
});

function packagedVersion(): string {
  type Lock = { packages: Record<string, { version: string }> };
  const { packages } = JSON.parse(readFileSync(LOCK, "utf8")) as Lock;
  return packages[`node_modules/node-linux-${process.arch}`]?.version ?? "";
}

/** The version that npm reads in the surroundings made for it by a launcher of that Node. */
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
