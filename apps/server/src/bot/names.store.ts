import { sql } from "kysely";
import type { Db } from "../postgres/database.ts";
import type { BotName } from "./gateway.ts";

export type KnownBot = {
  readonly bot: BotName;
  readonly telegram_id: bigint;
  readonly username: string;
};

export async function readBots(db: Db): Promise<KnownBot[]> {
  const { rows } = await sql<KnownBot>`SELECT bot, telegram_id, username FROM bots`.execute(db);
  return rows;
}

export async function rememberBot(db: Db, known: KnownBot): Promise<void> {
  await sql`
    INSERT INTO bots (bot, telegram_id, username)
    VALUES (${known.bot}, ${known.telegram_id}, ${known.username})
    ON CONFLICT (bot) DO UPDATE SET telegram_id = excluded.telegram_id, username = excluded.username
    WHERE (bots.telegram_id, bots.username) IS DISTINCT FROM (excluded.telegram_id, excluded.username)
  `.execute(db);
}
