import { LANES, type Lane } from "@sesame/contract/desk";
import { addMs, DAY_MS, type Fcfa, MINUTE_MS, type Result } from "@sesame/kernel";
import type { PayoutProvider } from "@sesame/providers";
import type { HttpServer } from "../../http/server.ts";
import { createLoop, type Loop } from "../../jobs/loop.ts";
import type { Db } from "../../postgres/database.ts";
import { deskChanged, publish } from "../../realtime/events.store.ts";
import { approveIn, laneRefusal } from "./approve.ts";
import { failByHandIn, markPaidByHandIn } from "./by-hand.ts";
import type {
  Approval,
  ApproveRefusal,
  Approved,
  HandFailure,
  HandPayment,
  HandRefusal,
  InspectRefusal,
  LaneRefusal,
  LaneView,
  PayoutState,
  Reconciliations,
  Resolution,
  ResolveRefusal,
} from "./door.ts";
import { createDriving } from "./drive-payouts.ts";
import { createFollowing } from "./follow-rumours.ts";
import { registerPayoutNotices } from "./http.ts";
import type { Log, PayoutsDeps } from "./needs.ts";
import { prunePayoutNotices } from "./notice.store.ts";
import { viewPayoutOf } from "./payout.view.ts";
import { takePayoutNotice } from "./receive-notice.ts";
import { reconcileAll } from "./reconcile.ts";
import { requestReconciliation } from "./reconcile.store.ts";
import { viewReconciliations } from "./reconcile.view.ts";
import { inspect, resolveIn } from "./resolve.ts";

export type * from "./door.ts";
export type { PayoutsDeps } from "./needs.ts";
export { isBack, mayComeBack, PAYOUTS_CHANNEL } from "./payout.store.ts";

/**
 * The door of payouts. What ends in `In` works inside the caller's transaction, locks the withdrawal
 * first, and says who may act to nobody: that is the desk's.
 */
export type Payouts = {
  lanes(): LaneView[];
  laneRefusal(lane: Lane, method: string, amount: Fcfa): LaneRefusal | null;
  approveIn(tx: Db, approval: Approval, now: Date): Promise<Result<Approved, ApproveRefusal>>;
  markPaidByHandIn(tx: Db, payment: HandPayment, now: Date): Promise<Result<null, HandRefusal>>;
  failByHandIn(tx: Db, failed: HandFailure, now: Date): Promise<Result<null, HandRefusal>>;
  resolveIn(tx: Db, resolution: Resolution, now: Date): Promise<Result<null, ResolveRefusal>>;
  /** Asks the provider, so never inside a transaction. Throws an `Outage`. */
  inspect(
    withdrawalId: bigint,
    providerPayoutId: string,
  ): Promise<Result<{ word: string }, InspectRefusal>>;
  payoutOf(withdrawalId: bigint): Promise<PayoutState | null>;
  reconciliations(): Promise<Reconciliations>;
  /** As soon as a worker looks. */
  requestReconciliation(): Promise<void>;
  /** Compares every provider now; the upkeep's daily task. */
  reconcile(log: Log, now: Date): Promise<void>;
  /** Whether a notice that came by a door for payments was about a payout, and was taken. */
  takeNotice(provider: string, notice: { headers: NoticeHeaders; body: Buffer }): Promise<boolean>;
  /** Webhooks of the providers whose payments have none; `served` have one. */
  registerHttp(app: HttpServer, served: readonly string[]): void;
  loops(log: Log): Loop[];
};

type NoticeHeaders = Parameters<PayoutProvider["readNotice"]>[0];

/** For those put off until later; new ones are heard of at once (PAYOUTS_CHANNEL). */
const LOOK_EVERY_MS = 5_000;
const PRUNE_EVERY_MS = 10 * MINUTE_MS;
const PRUNED_AT_ONCE = 1_000;
/** As long as those of payments. */
const WEBHOOKS_KEPT_MS = 90 * DAY_MS;

export function createPayouts(deps: PayoutsDeps): Payouts {
  const { db, clock, providers } = deps;
  const byId = (id: string) => providers.find((provider) => provider.id === id);
  return {
    lanes: () => LANES.map((lane) => ({ lane, open: lane === "manual" || Boolean(byId(lane)) })),
    laneRefusal: (lane, method, amount) => laneRefusal(deps, lane, { method, amount }),
    approveIn: (tx, approval, now) => approveIn(deps, tx, { approval, now }),
    markPaidByHandIn: (tx, payment, now) => markPaidByHandIn(deps, tx, { payment, now }),
    failByHandIn: (tx, failed, now) => failByHandIn(deps, tx, { failed, now }),
    resolveIn: (tx, resolution, now) => resolveIn(deps, tx, { resolution, now }),
    inspect: (withdrawalId, providerPayoutId) => inspect(deps, withdrawalId, providerPayoutId),
    payoutOf: (withdrawalId) => viewPayoutOf(db, withdrawalId),
    reconciliations: () => viewReconciliations(db),
    requestReconciliation: () => requestReconciliation(db, clock.now()),
    async reconcile(log, now) {
      await reconcileAll({ ...deps, log }, now);
      await publish(db, [deskChanged("reconciliation", "all")]);
    },
    async takeNotice(id, notice) {
      const provider = byId(id);
      if (!provider) return false;
      return (await takePayoutNotice(deps, provider, notice)) === "payout";
    },
    registerHttp(app, served) {
      for (const provider of providers) {
        if (!served.includes(provider.id)) registerPayoutNotices(app, deps, provider);
      }
    },
    loops: (log) => loopsOf({ ...deps, log }),
  };
}

function loopsOf(deps: PayoutsDeps & { readonly log: Log }): Loop[] {
  let stopping = false;
  const { db, clock, log } = deps;
  const loopOf = (name: string, run: () => Promise<boolean>): Loop => {
    const loop = createLoop({ name, clock, log, everyMs: LOOK_EVERY_MS, run });
    return {
      ...loop,
      stop() {
        stopping = true;
        return loop.stop();
      },
    };
  };
  const isStopping = () => stopping;
  return [
    loopOf("payouts send and look up", createDriving({ ...deps, isStopping })),
    loopOf("payouts follow rumours", createFollowing(deps)),
    createLoop({
      name: "payouts prune webhooks",
      clock,
      log,
      everyMs: PRUNE_EVERY_MS,
      run: async () => {
        const before = addMs(clock.now(), -WEBHOOKS_KEPT_MS);
        return (await prunePayoutNotices(db, { before, limit: PRUNED_AT_ONCE })) >= PRUNED_AT_ONCE;
      },
    }),
  ];
}
