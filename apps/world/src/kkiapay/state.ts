import type { NoticeBook } from "../notices/notice.ts";
import type { KkiapayKeys } from "../options.ts";
import type { MerchantBook } from "../payments/merchants.ts";
import type { AlteredPayment } from "../wire.ts";

/** All KkiaPay knows; kept in the world's file. Of a payment it knows nothing before its widget. */
export type KkiapayState = NoticeBook & {
  openings: Map<string, Opening>;
  transactions: Map<string, Transaction>;
  accounts: MerchantBook<KkiapayKeys>;
};

/** A widget that was opened, with what the browser said. */
export type Opening = {
  id: string;
  /** Of a seller; the app's own when absent. */
  account?: string;
  amount: number;
  data: unknown;
  partnerId: string | null;
  reason: string;
  customer: { name: string; email: string; phone: string };
  cancelled: boolean;
  /** Oldest first: each try is a transaction of its own. */
  transactionIds: string[];
  told?: AlteredPayment;
};

export type Transaction = {
  id: string;
  openingId: string;
  status: "PENDING" | "SUCCESS" | "FAILED" | "REVERTED";
  operator: string;
  /** Digits, with the country's code. */
  phone: string;
  fees: number;
  failure: { code: string; message: string } | null;
  performedAtMs: number;
};

export function emptyKkiapay(): KkiapayState {
  return {
    openings: new Map(),
    transactions: new Map(),
    accounts: new Map(),
    notices: [],
    nextNoticeId: 1,
  };
}
