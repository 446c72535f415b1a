import { adjustableClock, systemChance, systemClock } from "@sesame/kernel";
import { migrate } from "../../../database/migrate.ts";
import { followClock } from "./clock.ts";
import { compose } from "./compose.ts";
import { ConfigError, readConfig } from "./config.ts";

const DRAIN_MS = 8_000;

async function main(): Promise<void> {
  const config = readConfig(process.env);
  await migrate(config.databaseUrl);
  const moved = adjustableClock();
  const follower = config.clockUrl ? await followClock(config.clockUrl, moved) : null;
  const clock = follower ? moved : systemClock;
  const application = await compose(config, { clock, chance: systemChance });
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
  process.stdout.write(`Sésame écoute sur ${address} (${config.publicUrl})\n`);
}

main().catch((error: unknown) => {
  const reason = error instanceof ConfigError ? error.message : String(error);
  process.stderr.write(`Sésame ne peut pas démarrer : ${reason}\n`);
  process.exit(1);
});
