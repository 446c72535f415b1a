import { addMs, DAY_MS, type Fcfa, fcfa } from "@sesame/kernel";
import { getAccount, type Leg, postBetween, postNew } from "@sesame/ledger";
import { sql } from "kysely";
import { type Db, maybe, one } from "../../postgres/database.ts";

/** Francs of a refund (decision 83). Each transfer is new: its order, or its refund, is locked. */

export const IN_TRANSIT = "refunds:in-transit";
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
  const { account } = await one<Pick<Purse, "account">>(tx)`
    SELECT CASE s.plan WHEN 'premium' THEN s.premium_account_id ELSE s.free_account_id END AS account
    FROM sellers s WHERE s.id = ${sellerId} FOR NO KEY UPDATE
  `;
  await sql`SELECT ledger_enter(), ledger_lock_accounts(ARRAY[${account}::bigint])`.execute(tx);
  return one<Purse>(tx)`
    SELECT a.id AS account, a.posted - a.held AS available, coalesce((
      SELECT d.owed FROM seller_advances d WHERE d.seller_id = ${sellerId}), 0)::bigint AS owed
    FROM ledger_accounts a WHERE a.id = ${account}
  `;
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
async function writeOff(tx: Db, lost: Owed & { readonly id: bigint }): Promise<void> {
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

/** A request to write off that nobody confirmed since then is forgotten. */
export const writeOffsSince = (now: Date): Date => addMs(now, -7 * DAY_MS);

/**
 * Writes off what he owes when it was asked before, else asks for it. The seller is locked, and owes.
 * → what was written off, null when it was asked
 */
export async function askWriteOff(
  tx: Db,
  asked: { sellerId: bigint; owed: Fcfa; by: bigint },
  now: Date,
): Promise<{ amount: Fcfa; alone: boolean } | null> {
  const { sellerId, owed, by } = asked;
  await sql`
    DELETE FROM write_offs WHERE seller_id = ${sellerId} AND decided_at IS NULL
      AND asked_at <= ${writeOffsSince(now)}
  `.execute(tx);
  type Decided = { id: bigint; amount: Fcfa; asked_by: bigint };
  const decided = await maybe<Decided>(tx)`
    UPDATE write_offs SET amount = least(amount, ${owed}), decided_by = ${by}, decided_at = ${now}
    WHERE seller_id = ${sellerId} AND decided_at IS NULL
    RETURNING id, amount, asked_by
  `;
  if (!decided) {
    await sql`
      INSERT INTO write_offs (seller_id, amount, asked_by, asked_at)
      VALUES (${sellerId}, ${owed}, ${by}, ${now})
    `.execute(tx);
    return null;
  }
  const { id, amount } = decided;
  await writeOff(tx, { id, sellerId, amount, now });
  return { amount, alone: decided.asked_by === by };
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
  const { recoveries } = await one<{ recoveries: number }>(tx)`
    UPDATE seller_advances SET owed = owed - ${amount}, recoveries = recoveries + 1,
      updated_at = ${now}
    WHERE seller_id = ${sellerId} RETURNING recoveries
  `;
  const id = `recover:${sellerId}:${recoveries}`;
  await postBetween(tx, id, { from: account, to: ADVANCES, amount, now });
  // A request to write this debt off is none for the next one.
  if (amount === owed) {
    await sql`
      DELETE FROM write_offs WHERE seller_id = ${sellerId} AND decided_at IS NULL
    `.execute(tx);
  }
  return { amount, rest: fcfa(owed - amount) };
}
