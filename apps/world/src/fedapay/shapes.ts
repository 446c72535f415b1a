import { NETWORKS } from "../mobile-money/networks.ts";
import { toldWord } from "../payouts/answers.ts";
import { networkOfMethod } from "../payouts/methods.ts";
import type { Payout } from "../payouts/state.ts";
import type { FloatView, PayoutFault, PayoutStatus } from "../wire.ts";

const WORDS: Record<PayoutStatus, string> = {
  created: "pending",
  queued: "started",
  pending: "processing",
  success: "sent",
  failed: "failed",
};

/** A `v1/payout` (payment-providers.md §5.6). */
export function payoutShape(
  payout: Payout,
  fault: PayoutFault | null = null,
): Record<string, unknown> {
  const { id, amount, cost, status, method, failure, updatedAtMs, sentAtMs } = payout;
  const failed = status === "failed";
  return {
    klass: "v1/payout",
    id: Number(id),
    reference: `pyt_${id}_${payout.createdAtMs}`,
    amount,
    description: payout.description,
    status: toldWord(WORDS[status], fault),
    customer_id: 77,
    currency_id: 1,
    balance_id: balanceId(method),
    mode: method,
    last_error_code: failed ? "PAYOUT_FAILED" : null,
    last_error_message: failed ? failure : null,
    commission: "0.0",
    fees: cost,
    fixed_commission: cost,
    amount_transferred: amount,
    amount_debited: amount + cost,
    merchant_reference: payout.reference,
    custom_metadata: payout.metadata,
    payment_method: {
      brand: method,
      country: networkOfMethod("fedapay", method).iso.toLowerCase(),
      number: payout.phone.slice(1),
      method: "mobile_money",
    },
    transaction_key: payout.operatorReference,
    created_at: instant(payout.createdAtMs),
    updated_at: instant(updatedAtMs),
    scheduled_at: null,
    started_at: payout.startedAtMs === null ? null : instant(payout.startedAtMs),
    sent_at: sentAtMs === null ? null : instant(sentAtMs),
    failed_at: failed ? instant(updatedAtMs) : null,
    deleted_at: null,
  };
}

export function listMeta(total: number, page: number, perPage: number): object {
  const pages = Math.max(1, Math.ceil(total / perPage));
  return {
    current_page: page,
    next_page: page < pages ? page + 1 : null,
    prev_page: page > 1 ? page - 1 : null,
    total_pages: pages,
    total_count: total,
    per_page: perPage,
  };
}

/** One balance for each mode; they cannot be joined. */
export function balanceShape({ account, amount }: FloatView, atMs: number): object {
  return {
    klass: "v1/balance",
    id: balanceId(account),
    amount,
    mode: account,
    created_at: instant(atMs),
    updated_at: instant(atMs),
  };
}

/** Each mode has a balance of its own. */
export const MODES: readonly string[] = NETWORKS.flatMap((network) => network.fedapay);

function balanceId(mode: string): number {
  return MODES.indexOf(mode) + 1;
}

function instant(ms: number): string {
  return new Date(ms).toISOString();
}
