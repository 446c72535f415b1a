import type { Plan } from "@sesame/contract/plans";
import { assert, fcfa } from "@sesame/kernel";
import { balanceOf, openAccount, post } from "@sesame/ledger";
import { sql } from "kysely";
import type { WithdrawalOnWire } from "@sesame/contract/withdrawals";
import type { TestApp } from "./harness.ts";

let funded = 0;

/**
 * Gives a seller the plan, and francs on its account as a sale does, although nobody paid them.
 * @param plan the seller's own, or free when there is none yet
 */
export async function fundSeller(
  app: Pick<TestApp, "db" | "clock">,
  seller: { readonly id: string },
  ...[amount, plan]: readonly [amount: number, plan?: Plan]
): Promise<void> {
  const now = app.clock.now();
  const { rows } = await sql<{ account: bigint }>`
    UPDATE sellers SET plan = coalesce(${plan ?? null}, plan, 'free') WHERE id = ${BigInt(seller.id)}
    RETURNING CASE plan WHEN 'premium' THEN premium_account_id ELSE free_account_id END AS account
  `.execute(app.db);
  assert(rows[0], `no seller ${seller.id}`);
  if (amount === 0) return;
  const nobody = await openAccount(app.db, { key: "funds:of-tests", guarded: false }, now);
  funded += 1;
  const [outcome] = await post(
    app.db,
    [
      {
        id: `funds:${seller.id}:${funded}`,
        legs: [
          { account: nobody, amount: fcfa(-amount) },
          { account: rows[0].account, amount: fcfa(amount) },
        ],
        occurredAt: now,
      },
    ],
    now,
  );
  assert(outcome === "posted", "the funds were posted");
}

/**
 * The limit of a seller's requests before the first payout, in francs. Set before the settings are
 * read for the first time: they are cached for a second.
 */
export async function setFirstPayouts({ db, clock }: Pick<TestApp, "db" | "clock">, most: number) {
  await sql`
    INSERT INTO settings (key, value, changed_at)
    VALUES ('first_payout_max', ${String(most)}::jsonb, ${clock.now()})
    ON CONFLICT (key) DO UPDATE SET value = excluded.value
  `.execute(db);
}

/** What the seller has on the account of the plan, in francs. */
export async function sellerBalance(
  app: Pick<TestApp, "db">,
  seller: { readonly id: string },
  plan: Plan,
) {
  const balance = await balanceOf(app.db, `seller:${seller.id}:${plan}`);
  assert(balance, `no account of the seller ${seller.id}`);
  const { posted, held, available } = balance;
  return { posted: Number(posted), held: Number(held), available: Number(available) };
}

/** A request's fields as a phone sends them; a test changes those it needs. */
export const REQUEST = {
  montant: 1_000,
  methode_paiement: "orange-money-ci",
  numero_transfert: "07 01 02 03 04",
  numero_whatsapp: "+225 0701020304",
} as const;

/** Requests the seller's money as a phone does. */
export const askWithdrawal = async (
  app: Pick<TestApp, "done">,
  seller: { readonly token: string },
  fields: Readonly<Record<string, unknown>> = {},
): Promise<WithdrawalOnWire> =>
  (await app.done("POST /api/users/retrait/demande", seller, { ...REQUEST, ...fields })).demande;
