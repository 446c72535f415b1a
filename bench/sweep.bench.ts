import { assert, stoppedClock } from "@sesame/kernel";
import { sql } from "kysely";
import { membershipLoops } from "../apps/server/src/features/memberships/index.ts";
import { hasEndedAccess } from "../apps/server/src/features/memberships/jobs.ts";
import { type Db, openDatabase } from "../apps/server/src/postgres/database.ts";
import { createTestApp } from "../apps/server/test/harness.ts";
import { keepRounds, milliseconds, perSecond, type Place, quantile, say } from "./figures.ts";

const ROUNDS = 5;
const ENDED = 5_000;
const PROBES = 200;

/**
 * Memberships that the sweep ends a second, with their jobs and events, and the cost of a look that
 * finds nothing (QUALITY P6). The history has as many ends in each hour, so the sweep asks nobody.
 */
export async function run({ behind }: Place): Promise<void> {
  const { db, close } = openDatabase({ url: await behind() });
  const ends = await endsOf(db);
  const clock = stoppedClock(new Date((ends[0]?.getTime() ?? 0) - 60_000));
  await sql`
    INSERT INTO membership_sweep_hours (hour, ended)
    SELECT at, ${ENDED} FROM generate_series(date_trunc('hour', ${clock.now()}::timestamptz)
      - interval '15 days', ${ends.at(-1)}, interval '1 hour') AS at
  `.execute(db);
  const probes: number[] = [];
  for (let probe = 0; probe < PROBES; probe += 1) {
    const startedAt = performance.now();
    await hasEndedAccess(db, clock.now());
    probes.push(performance.now() - startedAt);
  }
  say(milliseconds("P6 a look that finds nothing", quantile(probes, 0.5), { atMost: 1 }));
  const log = { info: () => {}, warn: console.error, error: console.error };
  const [sweep] = membershipLoops(createTestApp({ db, clock, log }));
  assert(sweep, "access has one loop");
  const { note, of } = keepRounds();
  for (const end of ends.slice(1)) {
    clock.advance(end.getTime() - clock.now().getTime());
    const before = await countRunning(db);
    const startedAt = performance.now();
    await sweep.drain();
    const seconds = (performance.now() - startedAt) / 1_000;
    note("ended", (before - (await countRunning(db))) / seconds);
  }
  say(perSecond("P6 memberships ended", of("ended"), { atLeast: 50_000 }));
  await close();
}

const RUNNING = sql`status IN ('waiting', 'inside', 'left', 'banned')`;

/**
 * The end of the first running membership, and for each round the time when so many more have
 * ended.
 */
async function endsOf(db: Db): Promise<Date[]> {
  const { rows } = await sql<{ at: Date }>`
    SELECT ends_at AS at FROM (
      SELECT ends_at, row_number() OVER (ORDER BY ends_at) - 1 AS nth FROM accesses WHERE ${RUNNING}
    ) AS a WHERE nth % ${ENDED} = 0 ORDER BY nth LIMIT ${ROUNDS + 1}
  `.execute(db);
  return rows.map(({ at }) => at);
}

async function countRunning(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM accesses WHERE ${RUNNING}`.execute(db);
  return rows[0]?.count ?? 0;
}
