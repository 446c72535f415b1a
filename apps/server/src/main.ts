import { flushCompileCache } from "node:module";
import { fileURLToPath } from "node:url";
import { adjustableClock, systemChance, systemClock } from "@sesame/kernel";
import { migrate } from "../../../database/migrate.ts";
import { followClock } from "./clock.ts";
import { compose } from "./compose.ts";
import { ConfigError, readConfig } from "./config.ts";
import { mainCopy } from "./main.fr.ts";
import { loadSite } from "./pages/site.ts";

const DRAIN_MS = 8_000;

async function main(): Promise<void> {
  const config = readConfig(process.env);
  await migrate(config.databaseUrl, {
    onWait: (message) => process.stderr.write(`${message}\n`),
  });
  const moved = adjustableClock();
  const follower = config.clockUrl ? await followClock(config.clockUrl, moved) : null;
  const clock = follower ? moved : systemClock;
  const site = await loadSite(fileURLToPath(new URL("../../web/dist", import.meta.url)));
  const application = await compose(config, { clock, chance: systemChance, site });
  let stopping = false;
  const stop = (signal: string) => {
    if (stopping) return;
    stopping = true;
    // A drain that hangs must not outlive the ten seconds promised (WIRE §3).
    setTimeout(() => process.exit(1), DRAIN_MS).unref();
    follower?.close();
    application.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${signal}: ${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", () => stop("SIGTERM"));
  process.on("SIGINT", () => stop("SIGINT"));
  const address = await application.start();
  process.stdout.write(`${mainCopy.listening(address, config.publicUrl)}\n`);
  // A process that is killed keeps nothing by itself: the next start would compile again.
  flushCompileCache();
}

main().catch((error: unknown) => {
  const reason = error instanceof ConfigError ? error.message : String(error);
  process.stderr.write(`${mainCopy.cannotStart(reason)}\n`);
  process.exit(1);
});
