import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "../../apps/server/src/config.ts";
import { startEmbeddedPostgres } from "../postgres/embedded.ts";
import { type Program, supervise } from "./programs.ts";
import { buildPages, ROOT } from "./build.ts";
import { DEMO_PORTS, demoEnvironment, readSettings, type Settings } from "./settings.ts";
import { requireFreePort } from "./ports.ts";

/** Message to a parent process once everything answers. */
export type ReadyMessage = {
  appUrl: string;
  emulatorUrl: string | null;
  dataDir: string;
  databaseUrl: string;
};

/** The server stops waiting for requests after 8 s; everything must have ended after 10 s. */
const SERVER_PATIENCE_MS = 8_300;
const EMULATORS_PATIENCE_MS = 600;

/**
 * Runs the whole product: the database, the emulators in demo mode, and the server. They stop in
 * the reverse order at a signal, at the end of a part, or when the process that runs this command
 * ends. Emulators or a server that fall are started again; the database stays up meanwhile.
 */
export async function runProduct(env: NodeJS.ProcessEnv): Promise<void> {
  const parts: { stop(): Promise<void> }[] = [];
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
  const lose = (reason: string, isClean = false) => void stop(isClean ? 0 : 1, reason);
  try {
    const settings = readSettings(env);
    await prepareStart(settings, env);
    const database = await openDatabase(settings);
    const { databaseUrl, dataDir } = database;
    if ("lost" in database) {
      parts.push(database);
      void database.lost.then((reason) => lose(`The database is lost: ${reason}`));
    }
    const place = { ...settings, dataDir };
    const outside = settings.demo ? demoEnvironment(place, env) : null;
    for (const program of programsOf(place, { ...env, DATABASE_URL: databaseUrl }, outside)) {
      const supervised = supervise(program, lose);
      parts.push(supervised);
      await supervised.ready();
    }
    const emulatorUrl = outside?.emulatorUrl ?? null;
    announce({ appUrl: settings.publicUrl, emulatorUrl, dataDir, databaseUrl });
  } catch (error) {
    await stop(1, `Sésame cannot start: ${(error as Error).message}`);
  }
}

/** Fails before anything is opened: the configuration, the pages, the ports. */
async function prepareStart(settings: Settings, env: NodeJS.ProcessEnv): Promise<void> {
  const { port, host, demo, serves } = settings;
  if (settings.production) {
    readConfig({ ...env, DATABASE_URL: env.DATABASE_URL || "postgresql:///embedded" });
  }
  const built = buildPages(demo ? ["web", "emulators", "gallery"] : ["web"]);
  if (built.length > 0) console.log(`Pages built: ${built.join(", ")}`);
  if (serves) await requireFreePort(port, host, "the app");
  for (let next = port + 1; demo && next < port + DEMO_PORTS; next += 1) {
    await requireFreePort(next, host, "the demo's emulators");
  }
}

function programsOf(
  { port, near, dataDir }: Settings,
  env: NodeJS.ProcessEnv,
  outside: ReturnType<typeof demoEnvironment> | null,
): Program[] {
  const cache = join(ROOT, "node_modules", ".cache", "compiled");
  const place = { NODE_COMPILE_CACHE: cache, ...env, PORT: String(port), DATA_DIR: dataDir };
  const server: Program = {
    name: "The server",
    script: "apps/server/src/main.ts",
    env: { ...place, ...outside?.server },
    patienceMs: SERVER_PATIENCE_MS,
    answersAt: `http://${near}:${port}/ready`,
  };
  if (outside === null) return [server];
  const emulators: Program = {
    name: "The emulators",
    script: "apps/emulators/src/main.ts",
    env: { ...place, ...outside.emulators },
    patienceMs: EMULATORS_PATIENCE_MS,
    isForEver: true,
    answersAt: `${outside.emulatorRoot}/`,
  };
  return [emulators, server];
}

async function openDatabase({ databaseUrl, dataDir }: Settings) {
  if (databaseUrl !== null) {
    mkdirSync(dataDir, { recursive: true });
    return { databaseUrl, dataDir };
  }
  const database = await startEmbeddedPostgres({ dataDir });
  if (database.movedFrom !== null) {
    console.log(
      `The database's account cannot reach ${database.movedFrom}: data is in ${database.dataDir}`,
    );
  }
  return { ...database, databaseUrl: database.url };
}

function announce(ready: ReadyMessage): void {
  const phones = `  Three phones  ${ready.emulatorUrl}/   ← open this\n`;
  console.log(`
Sésame is running.
${ready.emulatorUrl === null ? "" : phones}  The app       ${ready.appUrl}/
  Data          ${ready.dataDir}
Ctrl-C stops everything.
`);
  process.send?.(ready);
}
