import { adjustableClock, systemRandom, systemClock } from "@sesame/kernel";
import { migrate } from "../../../../database/migrate.ts";
import { followClock } from "../../src/clock.ts";
import { createApplication } from "../../src/application.ts";
import { readConfig } from "../../src/config.ts";

/** `main.ts` without a built web app: the whole application, without its pages. */
const config = readConfig(process.env);
await migrate(config.databaseUrl);
const moved = adjustableClock();
if (config.clockUrl) await followClock(config.clockUrl, moved);
const clock = config.clockUrl ? moved : systemClock;
const application = await createApplication(config, { clock, random: systemRandom });
const address = await application.start();
process.stdout.write(`Sésame écoute sur ${address}\n`);
