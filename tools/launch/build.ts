import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url)).replace(/\/$/, "");
const VITE = join(ROOT, "node_modules", "vite", "bin", "vite.js");

const SHARED = ["packages/kernel", "packages/contract", "package-lock.json"];

/** What is built, from which sources, with which arguments of Vite. */
const PAGES = {
  web: {
    app: "apps/web",
    sources: ["apps/web", ...SHARED],
    builds: [["build"], ["build", "--ssr", "src/buyer/entry-server.tsx"]],
  },
  emulators: {
    app: "apps/emulators",
    sources: ["src/pages", "src/theme.ts", "src/wire.ts", "vite.config.ts"]
      .map((path) => `apps/emulators/${path}`)
      .concat(SHARED),
    builds: [["build"]],
  },
  gallery: {
    app: "apps/web",
    sources: ["apps/web/gallery.config.ts", "apps/web/gallery.html", "apps/web/src", ...SHARED],
    builds: [["build", "--config", "gallery.config.ts"]],
  },
};

/** Builds the pages whose sources changed since their last build. → which were built */
export function buildPages(names: (keyof typeof PAGES)[]): string[] {
  return names.filter((name) => {
    const { app, sources, builds } = PAGES[name];
    const stamp = join(ROOT, app, "dist", `.${name}-built-from`);
    const hash = hashOf(sources);
    if (existsSync(stamp) && readFileSync(stamp, "utf8") === hash) return false;
    rmSync(stamp, { force: true });
    for (const args of builds) {
      const built = spawnSync(process.execPath, [VITE, ...args, "--logLevel", "warn"], {
        cwd: join(ROOT, app),
        stdio: ["ignore", "inherit", "inherit"],
        env: { ...process.env, NODE_ENV: "production" },
      });
      if (built.status !== 0) throw new Error(`vite ${args.join(" ")} failed in ${app}`);
    }
    mkdirSync(dirname(stamp), { recursive: true });
    writeFileSync(stamp, hash);
    return true;
  });
}

const NOT_SOURCES = "**/{node_modules/**,dist/**,.cache/**,*.test.*}";

function hashOf(paths: string[]): string {
  const hash = createHash("sha256");
  const sources = paths.flatMap((path) => [path, `${path}/**`]);
  for (const path of globSync(sources, { cwd: ROOT, exclude: [NOT_SOURCES] }).sort()) {
    const full = join(ROOT, path);
    if (!statSync(full).isFile()) continue;
    hash.update(`${path}\0`).update(readFileSync(full)).update("\0");
  }
  return hash.digest("hex");
}
