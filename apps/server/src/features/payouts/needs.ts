import type { Clock } from "@sesame/kernel";
import type { PaymentProvider } from "@sesame/providers";
import type { PayoutProvider } from "@sesame/providers";
import type { FastifyBaseLogger } from "fastify";
import type { Db } from "../../postgres/database.ts";

/** Tells the seller, in the transaction that decided; `compose.ts` gives the door of withdrawals. */
export type WithdrawalNotes = {
  noteApproved(tx: Db, id: bigint, now: Date): Promise<void>;
  notePaid(tx: Db, id: bigint, now: Date): Promise<void>;
  noteReturned(
    tx: Db,
    returned: { readonly id: bigint; readonly reason: string },
    now: Date,
  ): Promise<void>;
  /** It arrived although its francs had gone back: he owes them. */
  noteLate(tx: Db, id: bigint, now: Date): Promise<void>;
};

export type PayoutsDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly publicUrl: string;
  /** In production a sandbox's word is never money. */
  readonly production: boolean;
  /** The open ones. */
  readonly providers: readonly PayoutProvider[];
  /** Of payments: what they were paid is compared too. */
  readonly payments: readonly PaymentProvider[];
  readonly withdrawals: WithdrawalNotes;
};

export type Log = Pick<FastifyBaseLogger, "error" | "warn">;
