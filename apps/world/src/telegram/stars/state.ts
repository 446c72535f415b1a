import type { NoticeBook } from "../../kit/webhooks.ts";
import type { AlteredPayment, PaymentView } from "../../wire.ts";

/** All Telegram knows of Stars: what is asked, who has how many, and what moved. */
export type StarState = NoticeBook & {
  /** By slug: what stands in t.me/$slug. */
  invoices: Map<string, Invoice>;
  /** Which invoice a message shows, by chat and message. */
  shown: Map<string, string>;
  /** By the query's id: payments that wait for their bot's word. */
  attempts: Map<string, Attempt>;
  /** By charge. */
  charges: Map<string, Charge>;
  /** Of every bot, oldest first. */
  moves: StarMove[];
  /** Stars of each person; one not named here has what a person has at first. */
  wallets: Map<number, number>;
};

export type Invoice = {
  slug: string;
  botId: number;
  title: string;
  description: string;
  /** The bot's own word for it, never shown to people. */
  payload: string;
  amount: number;
  photoUrl: string | null;
  /** Every 30 days again; null: once. */
  subscriptionPeriod: number | null;
  createdAtMs: number;
  /** How the last attempt ended. */
  status: PaymentView["status"];
  /** Of who paid it, the earliest first: its link may be opened by several. */
  chargeIds: string[];
  /** What Telegram is made to say of its charges in place of the truth. */
  told?: AlteredPayment;
};

export type Attempt = { queryId: string; slug: string; personId: number; dueAtMs: number };

export type Charge = {
  /** `telegram_payment_charge_id`. */
  id: string;
  providerChargeId: string;
  slug: string;
  botId: number;
  personId: number;
  amount: number;
  paidAtMs: number;
  refunded: boolean;
};

/** A transaction: a payment comes in, a refund goes out under the name of its payment. */
export type StarMove = { chargeId: string; kind: "payment" | "refund"; atMs: number };

/** Enough for most of what is sold here. */
export const FIRST_STARS = 5_000;

export function emptyStars(): StarState {
  return {
    invoices: new Map(),
    shown: new Map(),
    attempts: new Map(),
    charges: new Map(),
    moves: [],
    wallets: new Map(),
    notices: [],
    nextNoticeId: 1,
  };
}
