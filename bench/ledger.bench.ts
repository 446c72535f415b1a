import { readFileSync } from "node:fs";
import pg from "pg";
import { withClient } from "../tools/postgres/embedded.ts";
import {
  keepRounds,
  percent,
  perSecond,
  type Place,
  type Rounds,
  type Row,
  rowOf,
  say,
  times,
} from "./figures.ts";

/** A function of ledger.bench.sql, called by several clients at once. */
type Contender = { readonly call: string; readonly clients: number; readonly batch: number };

const BATCH = 500;
const ROUNDS = 3;
/** How long each contender runs in a round. */
const SECONDS = 0.5;
const single = (call: string, clients: number): Contender => ({ call, clients, batch: 1 });
const batched = (call: string, clients: number): Contender => ({ call, clients, batch: BATCH });

/** All run in each round: a slow minute slows all. */
const CONTENDERS: readonly Contender[] = [
  ...[1, 2].flatMap((clients) => [
    batched("bulk_with_balances", clients),
    batched("post_sales", clients),
  ]),
  ...[1, 16, 64].flatMap((clients) => [
    single("one_commit", clients),
    single("post_sales", clients),
    single("row_sale", clients),
  ]),
];

const nameOf = ({ call, clients, batch }: Contender) => `${call} ×${clients}, by ${batch}`;

/** Posting, beside bulk writes, durable commits and a ledger of shared rows (QUALITY P1, P2, P11). */
export async function run({ fresh }: Place): Promise<void> {
  const url = await fresh();
  const pool = new pg.Pool({ connectionString: url, max: 64 });
  try {
    await pool.query(readFileSync(new URL("./ledger.bench.sql", import.meta.url), "utf8"));
    await pool.query("VACUUM ANALYZE");
    const rates = keepRounds();
    for (let round = 0; round < ROUNDS; round++) {
      for (const contender of CONTENDERS) {
        rates.note(nameOf(contender), await salesPerSecond(pool, contender));
      }
    }
    report(rates);
    await sayWeight(pool);
  } finally {
    await pool.end();
  }
  say(await hotUpdates(url));
}

async function salesPerSecond(pool: pg.Pool, { call, clients, batch }: Contender): Promise<number> {
  const connections = await Promise.all(Array.from({ length: clients }, () => pool.connect()));
  const query = { name: call, text: `SELECT ledger_bench.${call}($1)`, values: [batch] };
  // The first calls of a connection plan their statements.
  await Promise.all(connections.map((connection) => connection.query(query)));
  const start = performance.now();
  const end = start + SECONDS * 1000;
  let sales = 0;
  await Promise.all(
    connections.map(async (connection) => {
      while (performance.now() < end) {
        await connection.query(query);
        sales += batch;
      }
    }),
  );
  const elapsedSeconds = (performance.now() - start) / 1000;
  for (const connection of connections) connection.release();
  return sales / elapsedSeconds;
}

function report(rates: Rounds): void {
  const rate = (contender: Contender) => rates.of(nameOf(contender));
  const best = (call: string, ...clients: number[]) =>
    Math.max(...clients.map((count) => rate(single(call, count))));
  const posting = Math.max(rate(batched("post_sales", 1)), rate(batched("post_sales", 2)));
  const limit = (clients: number, aim?: Row["aim"]) =>
    times(
      `P1 posting / bulk_with_balances, ${clients} connections`,
      rate(batched("post_sales", clients)) / rate(batched("bulk_with_balances", clients)),
      aim,
    );
  say(
    ...CONTENDERS.map((contender) => perSecond(nameOf(contender), rate(contender))),
    limit(1),
    limit(2, { atLeast: 0.6 }),
    times("P1 posting / shared-row ledger at its best", posting / best("row_sale", 1, 16, 64), {
      atLeast: 20,
    }),
    times("P1 posting / one commit each at its best", posting / best("one_commit", 1, 16, 64), {
      atLeast: 1.5,
    }),
    times("P2 16 clients / 1", best("post_sales", 16) / best("post_sales", 1), { atLeast: 0.95 }),
    times("P2 64 clients / 16", best("post_sales", 64) / best("post_sales", 16), {
      atLeast: 0.95,
    }),
  );
}

/** WAL and disk of one sale, after the full pages that follow a checkpoint. */
async function sayWeight(pool: pg.Pool): Promise<void> {
  const measure = async () => {
    const { rows } = await pool.query<{ wal: string; disk: string }>(`
      SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS wal,
        pg_total_relation_size('ledger_transfers') + pg_total_relation_size('ledger_entries')
          AS disk`);
    return { wal: Number(rows[0]?.wal), disk: Number(rows[0]?.disk) };
  };
  const batches = 100;
  const before = await measure();
  for (let batch = 0; batch < batches; batch++) {
    await pool.query("SELECT ledger_bench.post_sales($1)", [BATCH]);
  }
  const after = await measure();
  const each = (key: "wal" | "disk") => (after[key] - before[key]) / (batches * BATCH);
  const bytes = rowOf("bytes");
  say(bytes("P11 WAL of a sale", each("wal"), { atMost: 2800 }));
  say(bytes("P11 disk of a sale", each("disk"), { atMost: 1200 }));
}

/** On a connection of its own: other connections publish their statistics when they end. */
async function hotUpdates(url: string): Promise<Row> {
  const { rows } = await withClient(url, (client) =>
    client.query<{ percent: number }>(`
      SELECT (100.0 * n_tup_hot_upd / nullif(n_tup_upd, 0))::float8 AS percent
      FROM pg_stat_user_tables WHERE relname = 'ledger_accounts' AND schemaname = 'public'`),
  );
  return percent("P11 HOT updates of sellers", rows[0]?.percent ?? 0, { atLeast: 100 });
}
