import type { PayoutStatus } from "../wire.ts";
import type { NoticeBook } from "../notices/notice.ts";

/** All that one provider knows of the money it sends; kept in the world's file. */
export type PayoutBook = NoticeBook & {
  payouts: Map<string, Payout>;
  /** What is left to send, in francs, by account; an account not named here is as at first. */
  floats: Map<string, number>;
  nextPayoutNumber: number;
};

export type Payout = {
  /** Theirs: PayDunya's transaction id, FedaPay's number, Moneroo's id. */
  id: string;
  /** The token of PayDunya's first step. */
  handle: string | null;
  /** Ours, as they were told it. */
  reference: string | null;
  amount: number;
  /** What they take for it, on top. */
  cost: number;
  /** The float it is drawn from. */
  account: string;
  /** Their code. */
  method: string;
  /** E.164. */
  phone: string;
  description: string;
  customer: PayoutCustomer | null;
  metadata: Record<string, string>;
  callbackUrl: string | null;
  status: PayoutStatus;
  failure: string | null;
  operatorReference: string | null;
  createdAtMs: number;
  startedAtMs: number | null;
  /** When the money reached the phone. */
  sentAtMs: number | null;
  updatedAtMs: number;
  /** How it will end by itself; null: it has ended, or nobody knows. */
  course: Course | null;
  /** Put there by a test or by the panel: nobody asked for it. */
  planted: boolean;
};

export type Course = { outcome: "success" | "failed"; why: string | null; atMs: number };

export type PayoutCustomer = { firstName: string; lastName: string; email: string };

export function emptyPayoutBook(): PayoutBook {
  return {
    payouts: new Map(),
    floats: new Map(),
    nextPayoutNumber: 1,
    notices: [],
    nextNoticeId: 1,
  };
}
