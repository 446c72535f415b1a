import { type Clock, systemChance } from "@sesame/kernel";
import { type App, createApp } from "../src/app.ts";
import { readConfig } from "../src/config.ts";
import { createPictures } from "../src/pictures/picture-lane.ts";
import type { Db } from "../src/postgres/database.ts";

const silent = () => undefined;

/** What functions of the server are called with, where no application runs: no provider has keys. */
export function createTestApp(
  parts: Partial<App> & { readonly db: Db; readonly clock: Clock },
): App {
  const config = {
    ...readConfig({
      DATABASE_URL: "postgres://unused",
      SELLER_BOT_TOKEN: "7000000001:seller",
      SECRETS_KEY: Buffer.from(Array.from({ length: 32 }, (_, index) => index)).toString("base64"),
    }),
    publicUrl: "https://sesame.example",
    timeZone: "Africa/Abidjan",
  };
  const log = { info: silent, warn: silent, error: silent };
  const pictures = createPictures();
  return { ...createApp({ config, chance: systemChance, log, pictures, ...parts }), ...parts };
}
