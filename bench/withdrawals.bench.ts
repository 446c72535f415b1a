import { fcfa } from "@sesame/kernel";
import { check } from "@sesame/ledger";
import { sql } from "kysely";
import { sellMany } from "../apps/server/test/market.ts";
import { createAppButton } from "../apps/server/src/bot/app-button.ts";
import { createSettings } from "../apps/server/src/features/settings/index.ts";
import {
  createWithdrawals,
  type Withdrawals,
} from "../apps/server/src/features/withdrawals/index.ts";
import { type Db, openDatabase } from "../apps/server/src/postgres/database.ts";
import { median } from "./figures.ts";
import type { Row } from "./ledger.bench.ts";

const NOW = new Date("2026-11-16T09:00:00.000Z");
const ROUNDS = 3;
const SELLERS = 2_000;
const AMOUNT = 1_000;
const CLIENTS = [1, 16, 64, 256] as const;
/** On one balance, by so many clients: it allows half of them. */
const CROWD = { asked: 2_000, clients: 256 } as const;

/**
 * Requests for money, through the use case and its batches, by clients who each wait for their own:
 * of many sellers, and all of one balance that allows half of them (R5). Beside them, in the same
 * rounds, durable commits of one row. Exactness is proved after every round, or the run fails.
 * @param url a migrated database nobody else uses; it is filled.
 */
export async function run({ url }: { url: string }): Promise<Row[]> {
  const { db, close } = openDatabase({ url, poolSize: 64 });
  const clock = { now: () => NOW, onJump: () => () => {}, isTrusted: () => true, injected: true };
  const withdrawals = createWithdrawals({
    db,
    clock,
    settings: createSettings({ db, clock }),
    timeZone: "Africa/Abidjan",
    appButton: createAppButton({ publicUrl: "http://localhost", demo: true }),
  });
  try {
    const sellers = await fill(db);
    const figures = new Map<string, number[]>();
    const note = (what: string, rate: number) =>
      figures.set(what, [...(figures.get(what) ?? []), rate]);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const clients of CLIENTS) {
        const total = clients === 1 ? 200 : clients * 40;
        note(`requests ${clients}`, await ofMany(withdrawals, sellers, { clients, total }));
      }
      note("one balance", await ofOne(db, withdrawals, sellers[round] ?? 0n));
      note("commit 16", await commits(db, 16));
      note("commit 64", await commits(db, 64));
      await prove(db);
    }
    return report(figures);
  } finally {
    await close();
  }
}

async function fill(db: Db): Promise<bigint[]> {
  await sellMany(db, { sellers: SELLERS, buyers: 1, orders: 1, now: NOW });
  await sql`CREATE TABLE bench_commits (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, note text)`.execute(db);
  await sql`UPDATE sellers SET plan = 'premium'`.execute(db);
  const { rows } = await sql<{ id: bigint; account: bigint }>`
    SELECT id, premium_account_id AS account FROM sellers ORDER BY id`.execute(db);
  await fund(
    db,
    rows.map(({ account }) => account),
    10_000_000n,
  );
  await sql`VACUUM ANALYZE`.execute(db);
  return rows.map(({ id }) => id);
}

async function fund(db: Db, accounts: readonly bigint[], amount: bigint): Promise<void> {
  await sql`
    SELECT ledger_post(
      array_agg('fund:' || a.id ORDER BY a.nth), array_agg(a.nth::int ORDER BY a.nth) || array_agg(a.nth::int ORDER BY a.nth),
      array_agg(a.id ORDER BY a.nth) || array_agg(p.id ORDER BY a.nth),
      array_agg(${amount}::bigint) || array_agg(-${amount}::bigint),
      array_agg(${NOW}::timestamptz), ${NOW})
    FROM unnest(${accounts}::bigint[]) WITH ORDINALITY AS a(id, nth)
    JOIN ledger_accounts p ON p.key = 'provider:moneroo'
  `.execute(db);
}

const FORM = {
  method: "orange-money-ci",
  phone: "07 01 02 03 04",
  whatsapp: "+225 07 01 02 03 04",
} as const;

async function ask(withdrawals: Withdrawals, sellerId: bigint, key: string): Promise<boolean> {
  const form = { ...FORM, amount: AMOUNT };
  const asked = { sellerId, form, key: { key, content: JSON.stringify(form) }, automaticOn: null };
  const answer = await withdrawals.request(asked);
  if (!answer.ok && answer.refusal.kind !== "withdrawals.balance-too-low") {
    throw new Error(`refused: ${answer.refusal.kind}`);
  }
  return answer.ok;
}

let asked = 0;

/** Requests per second of so many clients, each of the next seller, each waiting for its answer. */
async function ofMany(
  withdrawals: Withdrawals,
  sellers: readonly bigint[],
  load: { clients: number; total: number },
): Promise<number> {
  let left = load.total;
  const startedAt = performance.now();
  const client = async () => {
    while (left > 0) {
      left -= 1;
      asked += 1;
      await ask(withdrawals, sellers[(asked * 7_919) % sellers.length] ?? 0n, `many ${asked}`);
    }
  };
  await Promise.all(Array.from({ length: load.clients }, client));
  return load.total / ((performance.now() - startedAt) / 1_000);
}

/** The same on one balance, left with exactly half of what is asked. */
async function ofOne(db: Db, withdrawals: Withdrawals, seller: bigint): Promise<number> {
  const allowed = CROWD.asked / 2;
  await leave(db, seller, fcfa(BigInt(allowed * AMOUNT)));
  let left = CROWD.asked;
  let accepted = 0;
  const startedAt = performance.now();
  const client = async () => {
    while (left > 0) {
      left -= 1;
      asked += 1;
      if (await ask(withdrawals, seller, `one ${asked}`)) accepted += 1;
    }
  };
  await Promise.all(Array.from({ length: CROWD.clients }, client));
  const seconds = (performance.now() - startedAt) / 1_000;
  if (accepted !== allowed) throw new Error(`${accepted} of ${allowed} were accepted`);
  return CROWD.asked / seconds;
}

/** Moves all but so many available francs away. */
async function leave(db: Db, seller: bigint, francs: bigint): Promise<void> {
  await sql`
    SELECT ledger_post(ARRAY['leave:' || a.id], ARRAY[1, 1], ARRAY[a.id, p.id],
      ARRAY[${francs} - (a.posted - a.held), a.posted - a.held - ${francs}], ARRAY[${NOW}::timestamptz], ${NOW})
    FROM sellers s JOIN ledger_accounts a ON a.id = s.premium_account_id
    JOIN ledger_accounts p ON p.key = 'provider:moneroo' WHERE s.id = ${seller}
  `.execute(db);
}

/** Durable commits per second: what requests written alone can never pass. */
async function commits(db: Db, clients: number): Promise<number> {
  const each = 100;
  const startedAt = performance.now();
  const client = async () => {
    for (let turn = 0; turn < each; turn += 1) {
      await sql`INSERT INTO bench_commits (note) VALUES ('withdrawal')`.execute(db);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return (clients * each) / ((performance.now() - startedAt) / 1_000);
}

/** The books are true, and every pending request has its hold: no franc more, none less. */
async function prove(db: Db): Promise<void> {
  const broken = await check(db);
  const { rows } = await sql<{ wrong: bigint }>`
    SELECT count(*) AS wrong FROM withdrawals w FULL JOIN ledger_holds h ON h.id = 'hold:' || w.id
    WHERE (w.account_id, w.amount) IS DISTINCT FROM (h.account_id, h.amount)
  `.execute(db);
  const wrong = Number(rows[0]?.wrong ?? 0);
  if (broken.length > 0 || wrong > 0) throw new Error(`the books are broken: ${wrong}`);
}

function report(figures: Map<string, number[]>): Row[] {
  const rateOf = (what: string) => median(figures.get(what) ?? []);
  const ratioOf = (what: string, peer: string) => {
    const peers = figures.get(peer) ?? [];
    return median((figures.get(what) ?? []).map((value, round) => value / (peers[round] ?? value)));
  };
  const atLeast = 5_000;
  const bound = (clients: number) => (clients >= 64 ? { aim: { atLeast } } : {});
  return [
    ...CLIENTS.map(
      (clients): Row => ({
        what: `requests of many sellers, ${clients} client(s)`,
        figure: rateOf(`requests ${clients}`),
        unit: "per second",
        ...bound(clients),
      }),
    ),
    {
      what: "requests on one balance that allows half, 256 clients: exact",
      figure: rateOf("one balance"),
      unit: "per second",
      aim: { atLeast },
    },
    {
      what: "durable commits of one row, 16 clients",
      figure: rateOf("commit 16"),
      unit: "per second",
    },
    {
      what: "durable commits of one row, 64 clients",
      figure: rateOf("commit 64"),
      unit: "per second",
    },
    {
      what: "R5 requests by 64 clients / one-commit ceiling",
      figure: ratioOf("requests 64", "commit 64"),
      unit: "times",
    },
  ];
}
