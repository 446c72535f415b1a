import { toldWord } from "../payouts/answers.ts";
import type { Payout } from "../payouts/state.ts";
import type { PayoutFault, PayoutStatus } from "../wire.ts";

const WORDS: Record<PayoutStatus, string> = {
  created: "created",
  queued: "pending",
  pending: "pending",
  success: "success",
  failed: "failed",
};

type CheckShape = Record<string, string> & { response_code: string; response_text: string };

/** Answer of check-status: every value a string, the amount too. */
export function checkShape(payout: Payout, fault: PayoutFault | null = null): CheckShape {
  const { handle, method, amount, reference, id, operatorReference, failure, status } = payout;
  const word = toldWord(WORDS[status], fault);
  const ended = status === "success" || status === "failed";
  return {
    response_code: "00",
    response_text: status === "failed" ? (failure ?? "") : "Transaction Found",
    ...(word === undefined ? {} : { status: word }),
    token: handle ?? "",
    withdraw_mode: method,
    amount: `${amount}.00`,
    updated_at: frenchInstant(payout.updatedAtMs),
    ...(reference === null ? {} : { disburse_id: reference }),
    ...(status === "created" ? {} : { transaction_id: id }),
    ...(ended && operatorReference !== null ? { disburse_tx_id: operatorReference } : {}),
  };
}

/** Answer of submit-invoice: a "00" says that it was taken, and not that it has arrived. */
export function submitShape(payout: Payout, fault: PayoutFault | null): Record<string, string> {
  const { id, status, operatorReference } = payout;
  const word = toldWord(WORDS[status], fault);
  return {
    response_code: "00",
    response_text:
      status === "success"
        ? "Transaction completed successfully"
        : "Transaction pending, please check the final status later",
    description: `${payout.amount} FCFA to ${payout.phone.slice(1)}`,
    transaction_id: id,
    ...(word === undefined ? {} : { status: word }),
    ...(operatorReference === null ? {} : { provider_ref: operatorReference }),
  };
}

/** `16/11/2026 09:00:04`. */
function frenchInstant(ms: number): string {
  const [day = "", time = ""] = new Date(ms).toISOString().split("T");
  return `${day.split("-").reverse().join("/")} ${time.slice(0, 8)}`;
}
