import { stoppedClock, systemRandom } from "@sesame/kernel";
import { followClock } from "../../src/clock.ts";
import { createApplication } from "../../src/application.ts";
import { readConfig } from "../../src/config.ts";

/**
 * Works beside another process of the application, with its clock, which stood still at the given
 * milliseconds before its first jump. Only the other polls: Telegram refuses a second poller.
 */
const config = readConfig(process.env);
const clock = stoppedClock(new Date(Number(process.argv[2])));
await followClock(config.clockUrl ?? "", clock);
const application = await createApplication(config, { clock, random: systemRandom });
const address = await application.start();
for (const loop of application.bots.loops) if (!loop.name.startsWith("poll ")) loop.start();
process.stdout.write(`Sésame écoute sur ${address}\n`);
