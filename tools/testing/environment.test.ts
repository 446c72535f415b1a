import { spawnSync } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { environmentOfSuites } from "./environment.ts";

/** Variables that were seen on machines, or may be set on one. */
const MACHINE = {
  ALL_PROXY: "socks5://127.0.0.1:9",
  CHROMIUM_FLAGS: "--lang=tr",
  CI: "",
  DATABASE_URL: "postgresql://real/real",
  DEBUG: "*",
  FONTCONFIG_FILE: "/home/a/fonts.conf",
  FORCE_COLOR: "3",
  HTTP_PROXY: "http://127.0.0.1:9",
  HTTPS_PROXY: "http://127.0.0.1:9",
  LANG: "tr_TR.UTF-8",
  LC_ALL: "tr_TR.UTF-8",
  LC_NUMERIC: "fr_FR.UTF-8",
  LONG: "1",
  NO_COLOR: "1",
  NODE_ENV: "production",
  NODE_OPTIONS: "--max-old-space-size=64",
  NODE_TLS_REJECT_UNAUTHORIZED: "0",
  NODE_USE_ENV_PROXY: "1",
  PGHOST: "db.example",
  PGOPTIONS: "-c timezone=Asia/Tokyo",
  PGSSLMODE: "require",
  PLAYWRIGHT_BROWSERS_PATH: "/opt/browsers",
  SECRETS_KEY: "real",
  SELLER_BOT_TOKEN: "1:real",
  TZ: "Pacific/Kiritimati",
  VITEST_MAX_WORKERS: "64",
  XDG_CONFIG_HOME: "/home/a/.config",
  http_proxy: "http://127.0.0.1:9",
  npm_config_proxy: "http://127.0.0.1:9",
};

const HERE = { HOME: "/home/a", PATH: "/opt/node-12/bin:/usr/bin:/bin", TMPDIR: "/var/tmp" };

describe("the environment of the suites", () => {
  test("is the same whatever the machine's variables of proxies, databases, zones and languages are", () => {
    expect(environmentOfSuites({ ...MACHINE, ...HERE })).toEqual(environmentOfSuites(HERE));
  });

  test("is complete on a machine without variables, HOME and PATH included", () => {
    const env = environmentOfSuites({});
    expect(Object.keys(env).sort()).toEqual(["CI", "LANG", "PATH", "TZ"]);
    expect(env["PATH"]?.split(":")).toEqual([dirname(process.execPath), ...SYSTEM]);
  });

  test("puts the project's Node before any other in PATH", () => {
    const [first] = environmentOfSuites(HERE)["PATH"]?.split(":") ?? [];
    expect(first).toBe(dirname(process.execPath));
  });

  test("is the environment of a program that is started in it, whatever the machine's was", () => {
    expect(seenAfterForgetting({ ...MACHINE, ...HERE })).toEqual({
      names: ["CI", "HOME", "LANG", "PATH", "TMPDIR", "TZ"],
      zone: "UTC",
      umask: 0o022,
    });
  });
});

const SYSTEM = ["/usr/local/bin", "/usr/bin", "/bin"];

/**
 * What the child of a process sees after `forgetTheMachine`: a wrong proxy or option has no effect.
 */
function seenAfterForgetting(machine: Record<string, string>): unknown {
  const module = fileURLToPath(new URL("./environment.ts", import.meta.url));
  const look =
    "const { timeZone } = Intl.DateTimeFormat().resolvedOptions();" +
    "const names = Object.keys(process.env).sort();" +
    "console.log(JSON.stringify({ names, zone: timeZone, umask: process.umask() }));";
  const script = `
    import { spawnSync } from "node:child_process";
    const { environmentOfSuites, forgetTheMachine } = await import(${JSON.stringify(module)});
    process.umask(0o077);
    forgetTheMachine(environmentOfSuites(process.env));
    const seen = spawnSync(process.execPath, ["-e", ${JSON.stringify(look)}], { encoding: "utf8" });
    console.log(seen.stdout);`;
  const ran = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
    env: machine,
  });
  return JSON.parse(ran.stdout) as unknown;
}
