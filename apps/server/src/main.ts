import { flushCompileCache } from "node:module";
import { fileURLToPath } from "node:url";
import { adjustableClock, describeError, systemRandom } from "@sesame/kernel";
import { migrate } from "../../../database/migrate.ts";
import { followClock } from "./clock.ts";
import { type Application, createApplication } from "./application.ts";
import { ConfigError, readConfig } from "./config.ts";
import { mainCopy } from "./messages.fr.ts";
import * as faults from "./monitoring/process-faults.ts";
import { loadSite } from "./pages/site.ts";

const DRAIN_MS = 8_000;
/** After a fault: work in progress may end, but the next process should start soon. */
const FAULT_DRAIN_MS = 3_000;

async function main(): Promise<void> {
  const config = readConfig(process.env);
  process.stdout.write(`${mainCopy.mode(config.mode, config.modeBecause)}\n`);
  await migrate(config.databaseUrl, {
    onWait: (message) => process.stderr.write(`${message}\n`),
  });
  const moved = adjustableClock();
  const follower = config.clockUrl ? await followClock(config.clockUrl, moved) : null;
  const site = await loadSite(fileURLToPath(new URL("../../web/dist", import.meta.url)));
  const application = await createApplication(config, {
    ...(follower ? { clock: moved } : {}),
    random: systemRandom,
    site,
  });
  endWell(application, () => follower?.close());
  const address = await application.start();
  process.stdout.write(`${mainCopy.listening(address, config.publicUrl)}\n`);
  // A killed process does not save it: the next start would compile again.
  flushCompileCache();
}

/** A signal drains and ends; a fault with an unknown state drains a little and restarts. */
function endWell(application: Application, release: () => void): void {
  let stopping = false;
  let signalled = false;
  const stop = (why: string, { drainMs, code }: { drainMs: number; code: number }): void => {
    if (stopping) return;
    stopping = true;
    // After a signal no restart is wanted, whatever came first.
    const exit = (otherwise: number) => process.exit(signalled ? 0 : otherwise);
    release();
    void faults
      .endInTime(() => application.stop(), drainMs)
      .then((failure) => {
        if (failure !== null) process.stderr.write(`${why}: ${describeError(failure)}\n`);
        exit(code || (failure === null ? 0 : 1));
      });
  };
  for (const signal of ["SIGTERM", "SIGINT"]) {
    process.on(signal, () => {
      signalled = stopping;
      stop(signal, { drainMs: DRAIN_MS, code: 0 });
    });
  }
  const handle = faults.createFaultHandler({
    guard: application.guard,
    nowMs: () => performance.now(),
    restart(kind, error) {
      process.stderr.write(`${mainCopy.restarting(kind, describeError(error))}\n`);
      stop(kind, { drainMs: FAULT_DRAIN_MS, code: faults.FAULT_EXIT_CODE });
    },
  });
  for (const kind of ["uncaughtException", "unhandledRejection"] satisfies faults.FaultKind[]) {
    process.on(kind, (error: unknown) => handle(kind, error));
  }
}

main().catch((error: unknown) => {
  const reason = error instanceof ConfigError ? error.message : describeError(error);
  process.stderr.write(`${mainCopy.cannotStart(reason)}\n`);
  process.exit(1);
});
