import { MINUTE_MS } from "@sesame/kernel";
import { sql } from "kysely";
import type { App } from "../app.ts";
import { one, PREPARED } from "../postgres/database.ts";
import { createLoop, type Loop } from "./loop.ts";

/** How late what is due may be seen. */
const ASKED_EVERY_MS = 1_000;
/** A loop that says what is due for it looks this often whatever it says. */
export const WHOLE_ROUND_MS = MINUTE_MS;

/** Asks in one statement which loops have work due, and wakes those. */
export function createRounds(
  { db, clock, log }: Pick<App, "db" | "clock" | "log">,
  all: readonly Loop[],
): Loop {
  const loops = all.filter(({ due }) => due !== undefined);
  return createLoop({
    name: "rounds",
    clock,
    log,
    everyMs: ASKED_EVERY_MS,
    async run() {
      if (loops.length === 0) return false;
      const conditions = loops.map(({ due }) => sql`(${due?.()})`);
      const { due } = await one<{ due: boolean[] }>(db)`${PREPARED}
        SELECT ARRAY[${sql.join(conditions)}]::boolean[] AS due
      `;
      loops.forEach((loop, index) => {
        if (due[index]) loop.wake();
      });
      return false;
    },
  });
}
