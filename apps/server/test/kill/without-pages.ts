import { systemChance, systemClock } from "@sesame/kernel";
import { migrate } from "../../../../database/migrate.ts";
import { compose } from "../../src/compose.ts";
import { readConfig } from "../../src/config.ts";

/** `main.ts` where the web has not been built: the whole application, without its pages. */
const config = readConfig(process.env);
await migrate(config.databaseUrl);
const application = await compose(config, { clock: systemClock, chance: systemChance });
const address = await application.start();
process.stdout.write(`Sésame écoute sur ${address}\n`);
