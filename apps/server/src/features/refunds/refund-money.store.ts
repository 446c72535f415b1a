import { assert, type Fcfa, fcfa } from "@sesame/kernel";
import { getAccount, type Leg, openAccount, postBetween, postNew } from "@sesame/ledger";
import { sql } from "kysely";
import { type Db, PREPARED } from "../../postgres/database.ts";

/** Francs of a refund (decision 83). Each transfer is new: its order, or its refund, is locked. */

const IN_TRANSIT = "refunds:in-transit";
const ADVANCES = "platform:advances";

/** What a seller can spend now: his plan's account, locked from here to the commit. */
export type Purse = {
  readonly account: bigint;
  readonly available: Fcfa;
  /** Advanced for him before, and not taken back. */
  readonly owed: Fcfa;
};

/**
 * Holds the seller's row first, as whoever withdraws, changes his plan or takes an advance back; then
 * his account, as whoever credits it.
 */
export async function lockPurse(tx: Db, sellerId: bigint): Promise<Purse> {
  const { rows: sellers } = await sql<{ account: bigint }>`
    SELECT CASE s.plan WHEN 'premium' THEN s.premium_account_id ELSE s.free_account_id END AS account
    FROM sellers s WHERE s.id = ${sellerId} FOR NO KEY UPDATE
  `.execute(tx);
  const account = sellers[0]?.account;
  assert(account !== undefined, `no seller ${sellerId}`);
  await sql`SELECT ledger_enter(), ledger_lock_accounts(ARRAY[${account}::bigint])`.execute(tx);
  const { rows } = await sql<{ available: Fcfa; owed: Fcfa }>`
    SELECT a.posted - a.held AS available, coalesce((
      SELECT d.owed FROM seller_advances d WHERE d.seller_id = ${sellerId}), 0)::bigint AS owed
    FROM ledger_accounts a WHERE a.id = ${account}
  `.execute(tx);
  assert(rows[0], "an account that is locked is there");
  return { account, ...rows[0] };
}

/** The whole price leaves its seller, the platform's fee with it, for the money under way. */
export async function postSaleRefund(
  tx: Db,
  refund: {
    readonly id: bigint;
    readonly sellerId: bigint;
    readonly account: bigint;
    readonly net: Fcfa;
    readonly fee: Fcfa;
    /** Of the net, what the platform gives for him. */
    readonly advanced: Fcfa;
    readonly now: Date;
  },
): Promise<void> {
  const { id, account, net, fee, advanced, now } = refund;
  const legs: Leg[] = [
    { account, amount: fcfa(advanced - net) },
    { account: await getAccount(tx, ADVANCES), amount: fcfa(-advanced) },
    { account: await getAccount(tx, "platform:fees"), amount: fcfa(-fee) },
    { account: await getAccount(tx, IN_TRANSIT), amount: fcfa(net + fee) },
  ].filter(({ amount }) => amount !== 0n);
  await postNew(tx, [{ id: `refund:${id}`, legs, occurredAt: now }], now);
  if (advanced > 0n) await owe(tx, { sellerId: refund.sellerId, amount: advanced, now });
}

type Owed = { readonly sellerId: bigint; readonly amount: Fcfa; readonly now: Date };

/** What was advanced for a seller: he withdraws nothing of it, and it is taken back from his sales. */
export async function owe(tx: Db, { sellerId, amount, now }: Owed): Promise<void> {
  await sql`
    INSERT INTO seller_advances AS a (seller_id, owed, updated_at)
    VALUES (${sellerId}, ${amount}, ${now})
    ON CONFLICT (seller_id) DO UPDATE
      SET owed = a.owed + excluded.owed, updated_at = excluded.updated_at
  `.execute(tx);
}

/** What he owes and will never give: the platform's loss. His row is locked. */
export async function writeOff(tx: Db, lost: Owed & { readonly id: bigint }): Promise<void> {
  const { id, sellerId, amount, now } = lost;
  await sql`
    UPDATE seller_advances SET owed = owed - ${amount}, updated_at = ${now}
    WHERE seller_id = ${sellerId}
  `.execute(tx);
  await postBetween(tx, `write-off:${id}`, { from: "platform:losses", to: ADVANCES, amount, now });
}

/** A plan's price, or a surplus that stood in suspense. */
export async function postFrom(
  tx: Db,
  refund: { id: bigint; from: "platform:subscriptions" | "suspense"; amount: Fcfa; now: Date },
): Promise<void> {
  const { id, from, amount, now } = refund;
  await postBetween(tx, `refund:${id}`, { from, to: IN_TRANSIT, amount, now });
}

/** The money has left: by the provider it came by, or from the purse an agent pays a method with. */
export async function postGivenBack(
  tx: Db,
  refund: { id: bigint; amount: Fcfa; from: `provider:${string}` | `float:${string}`; now: Date },
): Promise<void> {
  const { id, amount, from, now } = refund;
  const to = from.startsWith("float:")
    ? await openAccount(tx, { key: from, guarded: false }, now)
    : from;
  await postBetween(tx, `given-back:${id}`, { from: IN_TRANSIT, to, amount, now });
}

/** Its provider has returned what came in: what that was more, or less, is nobody's any more. */
export async function postMismatchReturned(
  tx: Db,
  returned: { id: bigint; provider: string; more: Fcfa; now: Date },
): Promise<void> {
  const { id, provider, more, now } = returned;
  if (more === 0n) return;
  const to = `provider:${provider}`;
  const move = { from: "platform:mismatches", to, amount: more, now };
  await postBetween(tx, `mismatch-returned:${id}`, move);
}

/** What a provider kept, from what it holds of ours, for a payment that was taken back. */
export async function postProviderFee(
  tx: Db,
  kept: { id: bigint; provider: string; fee: Fcfa; now: Date },
): Promise<void> {
  const { id, provider, fee, now } = kept;
  const to = `provider:${provider}`;
  const move = { from: "platform:chargebacks", to, amount: fee, now };
  await postBetween(tx, `chargeback:${id}`, move);
}

/** Sellers who owe and have something. */
export async function findRecoverable(db: Db, limit: number): Promise<bigint[]> {
  const { rows } = await sql<{ seller_id: bigint }>`${PREPARED}
    SELECT d.seller_id FROM seller_advances d
    JOIN sellers s ON s.id = d.seller_id
    JOIN ledger_accounts a
      ON a.id = CASE s.plan WHEN 'premium' THEN s.premium_account_id ELSE s.free_account_id END
    WHERE d.owed > 0 AND a.posted - a.held > 0
    ORDER BY d.seller_id LIMIT ${limit}
  `.execute(db);
  return rows.map(({ seller_id }) => seller_id);
}

/** Takes back what he owes, as far as he has it. → what was taken, and what he owes still */
export async function recover(
  tx: Db,
  sellerId: bigint,
  now: Date,
): Promise<{ amount: Fcfa; rest: Fcfa }> {
  const { account, available, owed } = await lockPurse(tx, sellerId);
  const amount = fcfa(available < owed ? available : owed);
  if (amount <= 0n) return { amount: fcfa(0), rest: owed };
  const { rows } = await sql<{ recoveries: number }>`
    UPDATE seller_advances SET owed = owed - ${amount}, recoveries = recoveries + 1,
      updated_at = ${now}
    WHERE seller_id = ${sellerId} RETURNING recoveries
  `.execute(tx);
  const id = `recover:${sellerId}:${rows[0]?.recoveries}`;
  await postBetween(tx, id, { from: account, to: ADVANCES, amount, now });
  // A request to write this debt off is none for the next one.
  if (amount === owed) {
    await sql`
      DELETE FROM write_offs WHERE seller_id = ${sellerId} AND decided_at IS NULL
    `.execute(tx);
  }
  return { amount, rest: fcfa(owed - amount) };
}
