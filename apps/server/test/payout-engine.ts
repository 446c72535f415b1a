import { assert, type Clock, fcfa } from "@sesame/kernel";
import { check, hold } from "@sesame/ledger";
import { createFedapayPayouts } from "@sesame/providers/fedapay";
import { createMonerooPayouts } from "@sesame/providers/moneroo";
import { createPaydunyaPayouts } from "@sesame/providers/paydunya";
import type { PayoutProvider } from "@sesame/providers";
import { sql } from "kysely";
import type { App, Log } from "../src/app.ts";
import type { Db } from "../src/postgres/database.ts";
import { withLongStatements } from "../src/postgres/connections.ts";
import { brokenSales } from "../src/upkeep/books.view.ts";
import { brokenWithdrawals } from "../src/upkeep/withdrawals-books.view.ts";
import { createTestApp } from "./core.ts";
import {
  FEDAPAY_KEYS,
  MONEROO_SECRET_KEY,
  MONEROO_WEBHOOK_SECRET,
  PAYDUNYA_KEYS,
} from "./harness.ts";

type Ground = { readonly db: Db; readonly clock: Clock };

type EngineChoice = {
  readonly providers: readonly PayoutProvider[];
  readonly production: boolean;
  readonly log?: Log;
};

/** What sends the payouts of a test's own, beside the application under test. */
export function createEngine(
  { db, clock }: Ground,
  { providers: payoutProviders, production, log }: EngineChoice,
): App {
  const app = createTestApp({ db, clock, providers: [], payoutProviders, ...(log ? { log } : {}) });
  return { ...app, config: { ...app.config, production } };
}

/** The real adapters, at the emulated providers. */
export function emulatorLanes(emulators: { root: string; now(): Date }): PayoutProvider[] {
  const apiRoot = emulators.root;
  const keys = { secretKey: MONEROO_SECRET_KEY, webhookSecret: MONEROO_WEBHOOK_SECRET };
  return [
    createPaydunyaPayouts({ ...PAYDUNYA_KEYS, apiRoot }),
    createMonerooPayouts({ ...keys, apiRoot }),
    createFedapayPayouts({ ...FEDAPAY_KEYS, apiRoot, now: emulators.now }),
  ];
}

export type Asked = { readonly method?: string; readonly phone?: string };

/** A pending request of the seller's, its francs held as those of any other. */
export async function askFor(
  { db, clock }: Ground,
  sellerId: bigint,
  asked: Asked & { amount: number },
): Promise<bigint> {
  const { amount, method = "orange-money-ci", phone = "+2250700000001" } = asked;
  const now = clock.now();
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: bigint; account_id: bigint }>`
      INSERT INTO withdrawals (seller_id, account_id, plan, amount, method, operator, country, phone,
        whatsapp, reference, origin, created_at, due_at)
      SELECT id, CASE plan WHEN 'premium' THEN premium_account_id ELSE free_account_id END, plan,
        ${amount}, ${method}, 'ORANGE', 'CI', ${phone}, '0700000001',
        'WD-' || substr(gen_random_uuid()::text, 1, 13), 'manual', ${now}, ${now}
      FROM sellers WHERE id = ${sellerId} RETURNING id, account_id
    `.execute(tx);
    const row = rows[0];
    assert(row, "the request was written");
    const held = { id: `hold:${row.id}`, from: row.account_id, amount: fcfa(amount) };
    assert((await hold(tx, held, now)).ok, "the francs were held");
    return row.id;
  });
}

/** Everything that is not as it should be in the books. */
export async function brokenBooks(db: Db): Promise<object[]> {
  return withLongStatements(db, async (tx) => [
    ...(await check(tx)),
    ...(await brokenSales(tx, 10)),
    ...(await brokenWithdrawals(tx, 10)),
  ]);
}
