import { sql } from "kysely";
import type { TestApp } from "./harness.ts";

/**
 * The groups of earlier tests count as left: those the bot is in are asked about again whenever an
 * hour has passed, and a file that opens a shop a test soon does little else.
 */
export async function leaveGroups({ db }: TestApp): Promise<void> {
  await sql`UPDATE groups SET bot_present = false WHERE bot_present`.execute(db);
}
