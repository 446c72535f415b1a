import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * What every command needs before TypeScript can run: the packages and the project's own Node.
 * Plain JavaScript for Node 18, because a fresh clone has nothing else.
 */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const MODULES = join(ROOT, "node_modules");
const STAMP = join(MODULES, ".sesame-installed");
const NODE_MAJOR = 24;
const isWindows = process.platform === "win32";
const NODE_PACKAGE = `node-${isWindows ? "win" : process.platform}-${process.arch}`;
const LOCAL_NODE = join(MODULES, NODE_PACKAGE, "bin", isWindows ? "node.exe" : "node");

/**
 * Installs missing packages. Returns when this process already runs the project's Node; otherwise
 * runs the command again under that Node and never returns.
 */
export async function prepare() {
  ensureInstalled();
  if (isRecent(process.versions.node)) return;
  if (!existsSync(LOCAL_NODE)) {
    console.error(`Node ${NODE_MAJOR} or later is needed, and none is packaged for this machine.`);
    process.exit(1);
  }
  await runUnder(LOCAL_NODE, process.argv.slice(1));
}

function ensureInstalled() {
  const lock = join(ROOT, "package-lock.json");
  const wanted = createHash("sha256").update(readFileSync(lock)).digest("hex");
  if (isInstalled(lock, wanted)) return;
  console.log("Installing packages…");
  // Build tools are development packages: NODE_ENV=production must not leave them out.
  const args = ["ci", "--no-audit", "--no-fund", "--include=dev", "--include=optional"];
  const npm = process.env.npm_execpath;
  const how = { cwd: ROOT, stdio: "inherit", env: installEnvironment(lock, process.versions.node) };
  const [program, ...first] = npm?.endsWith(".js") ? [process.execPath, npm] : ["npm"];
  const fails = () => spawnSync(program, [...first, ...args], how).status !== 0;
  // A failure of the registry is no fault of the project: try once more, then end with a code of
  // its own.
  if (fails() && fails()) {
    console.error("infrastructure: npm ci failed twice, the packages could not be installed.");
    process.exit(75);
  }
  writeFileSync(STAMP, wanted);
}

/** npm installs for the project's Node, also when npm itself runs in an older one. */
export function installEnvironment(lock, runningVersion) {
  if (isRecent(runningVersion)) return process.env;
  const { packages } = JSON.parse(readFileSync(lock, "utf8"));
  const ours = packages[`node_modules/${NODE_PACKAGE}`];
  if (ours === undefined) return process.env;
  const load = `--require ${JSON.stringify(join(ROOT, "tools", "launch", "as-our-node.cjs"))}`;
  const options = [process.env.NODE_OPTIONS, load].filter(Boolean).join(" ");
  return { ...process.env, NODE_OPTIONS: options, SESAME_INSTALLS_FOR: ours.version };
}

function isRecent(version) {
  return Number(version.split(".")[0]) >= NODE_MAJOR;
}

function isInstalled(lock, wanted) {
  const npmRecord = join(MODULES, ".package-lock.json");
  if (!existsSync(npmRecord) || !existsSync(LOCAL_NODE)) return false;
  const stamped = existsSync(STAMP);
  if (stamped && readFileSync(STAMP, "utf8") === wanted) return true;
  // When somebody ran npm by hand, npm's own record is younger than the lockfile and our stamp.
  const installedAt = statSync(npmRecord).mtimeMs;
  if (installedAt < statSync(lock).mtimeMs) return false;
  return !stamped || statSync(STAMP).mtimeMs < installedAt;
}

/** Runs a command under this Node, ends as the command ends, and never returns. */
export function runUnder(node, args) {
  const child = spawn(node, args, {
    stdio: "inherit",
    env: { ...process.env, SESAME_WRAPPED: "1" },
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => child.kill(signal));
  }
  child.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
  child.on("error", (error) => {
    console.error(`${node} does not run: ${error.message}`);
    process.exit(1);
  });
  return new Promise(() => {});
}
