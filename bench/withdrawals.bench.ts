import { check } from "@sesame/ledger";
import { sql } from "kysely";
import type { App } from "../apps/server/src/app.ts";
import { requestWithdrawal } from "../apps/server/src/features/withdrawals/request.ts";
import { type Db, openDatabase } from "../apps/server/src/postgres/database.ts";
import { sellMany } from "../apps/server/test/bulk-sales.ts";
import { createTestApp } from "../apps/server/test/harness.ts";
import {
  commitRate,
  keepRounds,
  perSecond,
  type Place,
  rateOf,
  type Rounds,
  say,
  times,
} from "./figures.ts";

const NOW = new Date("2026-11-16T09:00:00.000Z");
const ROUNDS = 3;
const SELLERS = 2_000;
/** A thousand open requests of a seller stay below the limit of a first payout. */
const AMOUNT = 150;
const CLIENTS = [1, 16, 64, 256] as const;
/** Requests on one balance, which allows half of them. */
const CROWD = { total: 2_000, clients: 256 } as const;

/**
 * Withdrawal requests, each a transaction, by clients that each wait for their own: of many
 * sellers, and all on one balance that allows half of them (R5). In the same rounds, durable
 * commits of one row. The rates have no aim; exactness is checked after every round.
 */
export async function run({ fresh }: Place): Promise<void> {
  const { db, close } = openDatabase({ url: await fresh(), poolSize: 64 });
  const clock = { now: () => NOW, onJump: () => () => {}, isTrusted: () => true, injected: true };
  const app = createTestApp({ db, clock });
  try {
    const sellers = await fill(db);
    const rounds = keepRounds();
    const { note } = rounds;
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const clients of CLIENTS) {
        const total = clients === 1 ? 200 : clients * 40;
        note(`requests ${clients}`, await ofMany(app, sellers, { clients, total }));
      }
      note("one balance", await ofOne(db, app, sellers[round] ?? 0n));
      note("commit 64", await commitRate(db, 64));
      await prove(db);
    }
    report(rounds);
  } finally {
    await close();
  }
}

async function fill(db: Db): Promise<bigint[]> {
  await sellMany(db, { sellers: SELLERS, buyers: 1, orders: 1, now: NOW });
  await sql`UPDATE sellers SET plan = 'premium'`.execute(db);
  const { rows } = await sql<{ id: bigint }>`SELECT id FROM sellers ORDER BY id`.execute(db);
  const sellers = rows.map(({ id }) => id);
  await makeAvailable(db, sellers, 10_000_000);
  await sql`VACUUM ANALYZE`.execute(db);
  return sellers;
}

/** Moves francs so that each of the sellers has exactly so many available. */
async function makeAvailable(db: Db, sellers: readonly bigint[], francs: number): Promise<void> {
  await sql`
    SELECT ledger_post(array_agg('bench:' || gen_random_uuid() ORDER BY nth),
      array_agg(nth ORDER BY nth) || array_agg(nth ORDER BY nth),
      array_agg(id ORDER BY nth) || array_agg(provider ORDER BY nth),
      array_agg(missing ORDER BY nth) || array_agg(-missing ORDER BY nth),
      array_agg(${NOW}::timestamptz), ${NOW})
    FROM (
      SELECT a.id, p.id AS provider, ${francs} - (a.posted - a.held) AS missing,
        row_number() OVER (ORDER BY s.id)::int AS nth
      FROM sellers s JOIN ledger_accounts a ON a.id = s.premium_account_id
      JOIN ledger_accounts p ON p.key = 'provider:moneroo' WHERE s.id = ANY(${sellers}::bigint[])
    ) AS account
  `.execute(db);
}

const FORM = {
  method: "orange-money-ci",
  phone: "07 01 02 03 04",
  whatsapp: "+225 07 01 02 03 04",
  amount: AMOUNT,
} as const;

let asked = 0;

async function ask(app: App, sellerId: bigint): Promise<boolean> {
  asked += 1;
  const key = { key: String(asked), content: JSON.stringify(FORM) };
  const answer = await requestWithdrawal(app, { sellerId, form: FORM, key, automaticOn: null });
  if (!answer.ok && answer.refusal.kind !== "withdrawals.balance-too-low") {
    throw new Error(`refused: ${answer.refusal.kind}`);
  }
  return answer.ok;
}

/** Requests per second, each of the next seller. */
const ofMany = (app: App, sellers: readonly bigint[], load: { clients: number; total: number }) =>
  rateOf(load, () => ask(app, sellers[(asked * 7_919) % sellers.length] ?? 0n));

/** The same on one balance, which has exactly half of what is requested. */
async function ofOne(db: Db, app: App, seller: bigint): Promise<number> {
  const allowed = CROWD.total / 2;
  await makeAvailable(db, [seller], allowed * AMOUNT);
  let accepted = 0;
  const rate = await rateOf(CROWD, async () => {
    if (await ask(app, seller)) accepted += 1;
  });
  if (accepted !== allowed) throw new Error(`${accepted} of ${allowed} were accepted`);
  return rate;
}

/** The ledger is whole, and every pending request has its hold of the same amount. */
async function prove(db: Db): Promise<void> {
  const broken = await check(db);
  const { rows } = await sql<{ wrong: bigint }>`
    SELECT count(*) AS wrong FROM withdrawals w FULL JOIN ledger_holds h ON h.id = 'hold:' || w.id
    WHERE (w.account_id, w.amount) IS DISTINCT FROM (h.account_id, h.amount)
  `.execute(db);
  const wrong = Number(rows[0]?.wrong ?? 0);
  if (broken.length > 0 || wrong > 0) throw new Error(`the books are broken: ${wrong}`);
}

function report({ of, ratio }: Rounds): void {
  say(
    ...CLIENTS.map((clients) =>
      perSecond(`requests of many sellers, ${clients} client(s)`, of(`requests ${clients}`)),
    ),
    perSecond("requests on one balance that allows half, 256 clients: exact", of("one balance")),
    perSecond("durable commits of one row, 64 clients", of("commit 64")),
    times("R5 requests by 64 clients / one-commit ceiling", ratio("requests 64", "commit 64")),
  );
}
