import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "../../apps/server/src/config.ts";
import { startEmbeddedPostgres } from "../postgres/embedded.ts";
import { onAbandoned, type Program, supervise, watchSources } from "./programs.ts";
import { buildPages, ROOT } from "./build.ts";
import { DEMO_PORTS, demoEnvironment, readSettings, type Settings } from "./settings.ts";
import { requireFreePort } from "./ports.ts";

/** Message to a parent process once everything answers. */
export type ReadyMessage = {
  ready: { appUrl: string; emulatorUrl: string | null; dataDir: string; databaseUrl: string };
};

/** The server stops waiting for requests after 8 s; everything must have ended after 10 s. */
const SERVER_PATIENCE_MS = 8_300;
const EMULATORS_PATIENCE_MS = 600;

type Part = { stop(): Promise<void> };

/**
 * Runs the whole product: the database, the emulators in demo mode, and the server. They stop in
 * the reverse order at a signal, at the end of a part, or when the process that runs this command
 * ends. Emulators or a server that fall are started again; the database stays up meanwhile.
 */
export async function runProduct(
  env: NodeJS.ProcessEnv,
  /** `watch`: builds and starts again what changes. */
  { watch = false } = {},
): Promise<void> {
  const parts: Part[] = [];
  let stopping = false;
  const stop = async (code: number, reason?: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    if (reason !== undefined) console.error(reason);
    for (const part of parts.reverse()) await part.stop();
    process.exit(code);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => void stop(0));
  process.on("disconnect", () => void stop(0));
  onAbandoned(() => void stop(0));
  const lost = (reason: string, clean = false) => void stop(clean ? 0 : 1, reason);
  try {
    await start(env, { parts, lost, watch });
  } catch (error) {
    await stop(1, `Sésame cannot start: ${(error as Error).message}`);
  }
}

type Running = {
  parts: Part[];
  lost: (reason: string, clean?: boolean) => void;
  watch: boolean;
};

async function start(env: NodeJS.ProcessEnv, running: Running): Promise<void> {
  const settings = readSettings(env);
  if (settings.production) {
    readConfig({ ...env, DATABASE_URL: env.DATABASE_URL || "postgresql:///embedded" });
  }
  const built = buildPages(settings.demo ? ["web", "emulators", "gallery"] : ["web"]);
  if (built.length > 0) console.log(`Pages built: ${built.join(", ")}`);
  const { port, host, demo, serves } = settings;
  if (serves) await requireFreePort(port, host, "the app");
  for (let next = port + 1; demo && next < port + DEMO_PORTS; next += 1) {
    await requireFreePort(next, host, "the demo's emulators");
  }
  const { databaseUrl, dataDir } = await openDatabase(settings, running);
  const place = {
    NODE_COMPILE_CACHE: join(ROOT, "node_modules", ".cache", "compiled"),
    ...env,
    PORT: String(settings.port),
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
  };
  const outside = settings.demo ? demoEnvironment({ ...settings, dataDir }, env) : null;
  const emulators: Program[] =
    outside === null
      ? []
      : [
          {
            name: "The emulators",
            script: "apps/emulators/src/main.ts",
            env: { ...place, ...outside.emulators },
            patienceMs: EMULATORS_PATIENCE_MS,
            isForEver: true,
            sources: ["apps/emulators/src", "packages/kernel"],
            answersAt: `${outside.emulatorRoot}/`,
          },
        ];
  const server: Program = {
    name: "The server",
    script: "apps/server/src/main.ts",
    env: { ...place, ...outside?.server },
    patienceMs: SERVER_PATIENCE_MS,
    sources: ["apps/server/src", "packages", "database"],
    answersAt: `http://${settings.near}:${settings.port}/ready`,
  };
  const { parts, lost, watch } = running;
  const supervised = [];
  for (const program of [...emulators, server]) {
    // While it is worked on, a program that falls is started again until a change corrects it.
    const each = supervise({ ...program, isForEver: watch || program.isForEver === true }, lost);
    parts.push(each);
    await each.ready();
    supervised.push(each);
  }
  if (watch) parts.push(watchSources(supervised));
  announce({
    appUrl: settings.publicUrl,
    emulatorUrl: outside?.emulatorUrl ?? null,
    dataDir,
    databaseUrl,
  });
}

async function openDatabase(
  { databaseUrl, dataDir }: Settings,
  { parts, lost }: Running,
): Promise<{ databaseUrl: string; dataDir: string }> {
  if (databaseUrl !== null) {
    mkdirSync(dataDir, { recursive: true });
    return { databaseUrl, dataDir };
  }
  const database = await startEmbeddedPostgres({ dataDir });
  parts.push(database);
  void database.lost.then((reason) => lost(`The database is lost: ${reason}`));
  if (database.movedFrom !== null) {
    console.log(
      `The database's account cannot reach ${database.movedFrom}: data is in ${database.dataDir}`,
    );
  }
  return { databaseUrl: database.url, dataDir: database.dataDir };
}

function announce(ready: ReadyMessage["ready"]): void {
  const phones = `  Three phones  ${ready.emulatorUrl}/   ← open this\n`;
  console.log(`
Sésame is running.
${ready.emulatorUrl === null ? "" : phones}  The app       ${ready.appUrl}/
  Data          ${ready.dataDir}
Ctrl-C stops everything.
`);
  process.send?.({ ready } satisfies ReadyMessage);
}
