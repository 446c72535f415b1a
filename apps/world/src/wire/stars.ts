import type { BotRole } from "./state.ts";

/** The sheet on which a person pays in Stars. */
export type InvoiceView = {
  /** What stands in `t.me/$slug`. */
  slug: string;
  bot: BotRole;
  botName: string;
  title: string;
  description: string;
  /** Stars. */
  amount: number;
  photoUrl: string | null;
  /** Every 30 days again. */
  recurring: boolean;
  /** Of the person who looks. */
  stars: number;
};

/** As mini apps are told it in `invoice_closed`. */
export type InvoiceOutcome = "paid" | "failed" | "cancelled";

export type PaidInvoice = {
  slug: string;
  status: InvoiceOutcome;
  /** Why it failed: no Stars, the bot said no (with its words), or said nothing in time. */
  why: "not-enough" | "refused" | "no-answer" | null;
  words: string | null;
  /** What the person has left. */
  stars: number;
};
