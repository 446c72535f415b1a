import {
  checkWithdrawal,
  deadlineOf,
  PAYOUT_METHODS,
  type RequestRefusal,
  type WithdrawalForm,
} from "@sesame/contract/withdrawals";
import { assert, ok, type Result, refuse } from "@sesame/kernel";
import { hold } from "@sesame/ledger";
import type { App } from "../../app.ts";
import { enqueue } from "../../jobs/outbox.store.ts";
import { maybe, one } from "../../postgres/database.ts";
import { publish } from "../../realtime/events.store.ts";
import { hashOf } from "../../secrets/hash.ts";
import { type LockedSeller, withLockedSeller } from "./limits.ts";
import {
  asAccepted,
  changedEvents,
  shownColumns,
  type Withdrawal,
  type WithdrawalRow,
} from "./withdrawals.ts";

type WithdrawalRequest = {
  readonly form: WithdrawalForm;
  /** The caller's name for his request, and what it asked. Keys are a seller's own. */
  readonly key: { readonly key: string; readonly content: string } | null;
  /** The date an automatic payout is run for, YYYY-MM-DD; null: asked by the seller himself. */
  readonly automaticOn: string | null;
};

export type Asked = Result<
  {
    readonly withdrawal: Withdrawal;
    /** Accepted before, under the same key or for the same date. */
    readonly before: boolean;
  },
  RequestRefusal | { readonly kind: "withdrawals.key-reused" }
>;

export const requestWithdrawal = (
  app: App,
  { sellerId, ...request }: WithdrawalRequest & { readonly sellerId: bigint },
): Promise<Asked> => withLockedSeller(app, sellerId, (seller) => requestIn(app, seller, request));

/**
 * Judges a request and takes it: the francs are held, the row is written, agents are told by a job.
 * Every request of a seller comes here, one after the other. Nobody takes francs from a seller's
 * account without the lock on the seller, so what was read as available can be held.
 */
export async function requestIn(
  app: App,
  { tx, sellerId, settings, facts, limits, now }: LockedSeller,
  { form, key, automaticOn }: WithdrawalRequest,
): Promise<Asked> {
  const known = await maybe<WithdrawalRow & { readonly hash: Buffer | null }>(tx)`
    SELECT ${shownColumns(now)}, w.idempotency_hash AS hash FROM withdrawals w
    WHERE w.seller_id = ${sellerId}
      AND (w.idempotency_key = ${key?.key ?? null} OR w.automatic_on = ${automaticOn}::date)
  `;
  if (known !== null) {
    const { hash, ...row } = known;
    const isSame = key === null || hash?.equals(hashOf(key.content));
    return isSame
      ? ok({ withdrawal: asAccepted(row), before: true })
      : refuse({ kind: "withdrawals.key-reused" });
  }
  const checked = checkWithdrawal(form, limits);
  if (!checked.ok) return checked;
  const { amount, method, phone, whatsapp } = checked.value;
  const { operator, country } = PAYOUT_METHODS[method];
  const { plan, account_id: account } = facts;
  const origin = automaticOn === null ? "manual" : "automatic";
  const dueAt = deadlineOf(now, settings.hours.payouts, app.config.timeZone);
  const row = await one<WithdrawalRow & { readonly id: bigint }>(tx)`
    INSERT INTO withdrawals AS w (id, seller_id, account_id, plan, amount, method, operator, country,
      phone, whatsapp, reference, idempotency_key, idempotency_hash, origin, automatic_on,
      created_at, due_at)
    OVERRIDING SYSTEM VALUE
    SELECT n.id, ${sellerId}, ${account}, ${plan}, ${amount}, ${method}, ${operator}, ${country},
      ${phone}, ${whatsapp}, 'RT-' || lpad(n.id::text, greatest(6, length(n.id::text)), '0'),
      ${key?.key ?? null}, ${key && hashOf(key.content)}, ${origin}, ${automaticOn}, ${now}, ${dueAt}
    FROM nextval('withdrawals_id_seq') AS n(id)
    RETURNING ${shownColumns(now)}
  `;
  const held = await hold(tx, { id: `hold:${row.id}`, from: account, amount }, now);
  assert(held.ok && held.value === "done", `the francs of the withdrawal ${row.id} were not held`);
  await enqueue(tx, [{ topic: "desk.tell-agents", ref: row.id, dueAt: now }]);
  await publish(tx, changedEvents({ id: row.id, sellerId, status: "pending" }));
  return ok({ withdrawal: asAccepted(row), before: false });
}
