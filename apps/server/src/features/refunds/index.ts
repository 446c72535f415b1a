import type { RefundOnWire, RefundsRefusal } from "@sesame/contract/refunds";
import type { Result } from "@sesame/kernel";
import type { FastifyBaseLogger } from "fastify";
import type { HttpServer } from "../../http/server.ts";
import type { Loop } from "../../jobs/loop.ts";
import type { JobHandler } from "../../jobs/outbox.ts";
import type { Db } from "../../postgres/database.ts";
import { askIn, GIVE_BACK, type RefundAsked, type RefundBegun } from "./ask-refund.ts";
import { type ChosenLane, chooseLane } from "./choose-lane.ts";
import { registerDeskRefundsHttp } from "./desk-http.ts";
import { giveBack } from "./give-back.ts";
import { registerRefundsHttp } from "./http.ts";
import type { RefundsDeps } from "./needs.ts";
import type { SheetDeps } from "./order-sheet.ts";
import { createRecovering } from "./recover-advances.ts";
import { refundToWire } from "./refund-on-wire.ts";
import { countRefunds, findRefundsOf } from "./refund.view.ts";
import { giveSurplusBack } from "./surplus.ts";

export type { RefundAsked, RefundBegun } from "./ask-refund.ts";
export type { ChosenLane } from "./choose-lane.ts";
export { DEEDS as REFUND_DEEDS } from "./messages.fr.ts";
export type { ClaimNotes, RefundsDeps } from "./needs.ts";
export { ASKING_MS } from "./give-back.ts";
export { isReferenceUsed } from "./refund.store.ts";
export { owe, writeOff } from "./refund-money.store.ts";

/** The door of refunds. */
export type Refunds = {
  /** Who can give an order's payment back; before the transaction that asks. */
  chooseLane(orderId: bigint): Promise<ChosenLane | null>;
  /**
   * Gives an order back inside the caller's transaction, which locks nothing before it but the
   * order's claim, and is undone when it is refused.
   */
  askIn(tx: Db, asked: RefundAsked): Promise<Result<RefundBegun, RefundsRefusal>>;
  /** The one of an order that needs its reader most; null to anybody but its buyer and seller. */
  ofOrder(orderId: bigint, readerId: bigint): Promise<RefundOnWire | null>;
  /** Open ones, for the desk's board. */
  counts(): Promise<{ to_pay: number; open: number }>;
  registerHttp(app: HttpServer, desk: Pick<SheetDeps, "claimsOf">): void;
  readonly jobs: readonly JobHandler[];
  loops(log: Pick<FastifyBaseLogger, "error" | "warn">): Loop[];
};

/** A provider that is away is asked for days: the desk decides, no job gives up. */
const FOR_DAYS = 1_000;

export function createRefunds(deps: RefundsDeps): Refunds {
  const { db } = deps;
  return {
    chooseLane: (orderId) => chooseLane(deps, orderId),
    askIn: (tx, asked) => askIn(deps, tx, asked),
    async ofOrder(orderId, readerId) {
      const [row] = await findRefundsOf(db, orderId);
      if (!row) return null;
      if (row.buyer_id === readerId) return refundToWire(row, "buyer");
      return row.seller_id === readerId ? refundToWire(row, "seller") : null;
    },
    counts: () => countRefunds(db),
    registerHttp(app, desk) {
      registerRefundsHttp(app, deps);
      registerDeskRefundsHttp(app, { ...deps, ...desk });
    },
    jobs: [
      {
        topic: GIVE_BACK,
        batch: 10,
        concurrency: 4,
        maxAttempts: FOR_DAYS,
        run: (job) => giveBack(deps, job),
      },
      {
        topic: "refunds.surplus",
        batch: 10,
        concurrency: 1,
        maxAttempts: FOR_DAYS,
        run: (job) => giveSurplusBack(deps, job),
      },
    ],
    loops: (log) => [createRecovering(deps, log)],
  };
}
