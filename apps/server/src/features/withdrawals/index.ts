import type {
  LimitsAnswer,
  PayoutFieldsOnWire,
  PayoutSettingsBody,
  PayoutSettingsOnWire,
  WithdrawalOnWire,
  WithdrawalsAnswer,
  WithdrawalsRefusal,
} from "@sesame/contract/withdrawals";
import { assert, ok, type Result, refuse } from "@sesame/kernel";
import type { FastifyBaseLogger } from "fastify";
import type { BotGateway } from "../../bot/gateway.ts";
import type { UpdateHandler } from "../../bot/update-desk.ts";
import type { HttpServer } from "../../http/server.ts";
import type { JobHandler } from "../../jobs/outbox.ts";
import type { Db } from "../../postgres/database.ts";
import { mapPart, type SellerPart } from "../../postgres/parts.ts";
import { type AutomaticEngine, createAutomaticEngine } from "./automatic-loop.ts";
import { withdrawalsUpdates } from "./bot.ts";
import { type Cancellation, cancel } from "./cancel-withdrawal.ts";
import { configurePayouts } from "./configure-payouts.ts";
import type { WithdrawalsDeps } from "./deps.ts";
import { freezePayouts } from "./freeze-payouts.ts";
import { registerWithdrawalsHttp } from "./http.ts";
import { payoutFieldsToWire, payoutSettingsToWire } from "./payout-settings-on-wire.ts";
import { profilePart, viewProfile } from "./payout-profiles.view.ts";
import {
  type AutomaticRefusal,
  type AutomaticRequest,
  requestAutomatic,
} from "./request-automatic.ts";
import { type AcceptedRequest, createRequests, type Requests } from "./request-withdrawal.ts";
import { limitsAnswerOf, newestRequestsPart, withdrawalsAnswerOf } from "./seller-answers.ts";
import { noteNews, tellSellerJob } from "./tell-seller.ts";
import { withdrawalToWire } from "./withdrawal-on-wire.ts";
import { type Rejection, rejectWithdrawal } from "./withdrawals.store.ts";
import {
  type ListChoice,
  viewAnyWithdrawal,
  viewSellerFacts,
  viewWithdrawal,
} from "./withdrawals.view.ts";

export type { WithdrawalsDeps } from "./deps.ts";
export type { AutomaticRefusal } from "./request-automatic.ts";
export type { Rejection } from "./withdrawals.store.ts";

/** The door of withdrawals. */
export type Withdrawals = Requests & {
  cancel(cancelled: Cancellation): Promise<Result<WithdrawalOnWire, WithdrawalsRefusal>>;
  /** To its seller; null to anybody else, as when it does not exist. */
  withdrawalOf(sellerId: bigint, id: bigint): Promise<WithdrawalOnWire | null>;
  listOf(sellerId: bigint, page: Pick<ListChoice, "status" | "before">): Promise<WithdrawalsAnswer>;
  /** The newest, for the seller's start answer. */
  readonly requestsAtStart: SellerPart<WithdrawalOnWire[]>;
  limitsOf(sellerId: bigint): Promise<LimitsAnswer>;
  configure(
    sellerId: bigint,
    body: PayoutSettingsBody,
  ): Promise<Result<{ automatic: boolean }, WithdrawalsRefusal>>;
  settingsOf(sellerId: bigint): Promise<PayoutSettingsOnWire>;
  /** B §3's fields of the seller's profile. */
  payoutFieldsOf(sellerId: bigint): Promise<PayoutFieldsOnWire>;
  readonly payoutFieldsAtStart: SellerPart<PayoutFieldsOnWire>;
  /** "Ce n'est pas moi". False when payouts were frozen already. */
  freezePayouts(sellerId: bigint): Promise<boolean>;
  /** Each date once; not a caller's own: the scheduler's. */
  requestAutomatic(run: AutomaticRequest): Promise<Result<AcceptedRequest, AutomaticRefusal>>;
  /** Gives the francs back and tells the seller, in the transaction of who decides. */
  rejectIn(
    tx: Db,
    rejection: Rejection,
    now: Date,
  ): Promise<Result<null, { kind: "withdrawals.unknown" } | { kind: "withdrawals.not-pending" }>>;
  /** Tell the seller's screens and the seller of what the row says already. */
  noteApproved(tx: Db, id: bigint, now: Date): Promise<void>;
  notePaid(tx: Db, id: bigint, now: Date): Promise<void>;
  noteReturned(tx: Db, returned: { id: bigint; reason: string }, now: Date): Promise<void>;
  noteLate(tx: Db, id: bigint, now: Date): Promise<void>;
  registerHttp(app: HttpServer): void;
  readonly jobs: readonly JobHandler[];
  /** What runs the automatic payouts (decision 70). */
  automatic(log: Pick<FastifyBaseLogger, "error" | "warn">): AutomaticEngine;
  /** What the sellers' bot answers. */
  updates(gateway: () => Pick<BotGateway, "call">): UpdateHandler;
};

export function createWithdrawals(deps: WithdrawalsDeps): Withdrawals {
  const requests = createRequests(deps);
  const door: Withdrawals = {
    ...requests,
    cancel: (cancelled) => cancel(deps, cancelled),
    async withdrawalOf(sellerId, id) {
      const row = await viewWithdrawal(deps.db, id, sellerId);
      return row ? withdrawalToWire(row, deps.clock.now()) : null;
    },
    listOf: (sellerId, page) => withdrawalsAnswerOf(deps, sellerId, page),
    requestsAtStart: newestRequestsPart(deps),
    limitsOf: (sellerId) => limitsAnswerOf(deps, sellerId),
    configure: (sellerId, body) => configurePayouts(deps, sellerId, body),
    settingsOf: (sellerId) => settingsOf(deps, sellerId),
    async payoutFieldsOf(sellerId) {
      const profile = await viewProfile(deps.db, sellerId);
      assert(profile, `no seller ${sellerId}`);
      return payoutFieldsToWire(profile);
    },
    payoutFieldsAtStart: (seller) =>
      mapPart(profilePart(seller), ([profile]) => {
        assert(profile, "a seller who signed in exists");
        return payoutFieldsToWire(profile);
      }),
    freezePayouts: (sellerId) => freezePayouts(deps, sellerId),
    requestAutomatic: (run) => requestAutomatic(deps, requests, run),
    rejectIn,
    noteApproved: (tx, id, now) => noteNews(tx, id, { news: "approved", now }),
    notePaid: (tx, id, now) => noteNews(tx, id, { news: "paid", now }),
    noteReturned: (tx, { id, reason }, now) => noteNews(tx, id, { news: "returned", reason, now }),
    noteLate: (tx, id, now) => noteNews(tx, id, { news: "late", now }),
    registerHttp: (app) => registerWithdrawalsHttp(app, door),
    jobs: [tellSellerJob(deps)],
    automatic: (log) =>
      createAutomaticEngine({ ...deps, requestAutomatic: door.requestAutomatic }, log),
    updates: (gateway) =>
      withdrawalsUpdates({ db: deps.db, gateway, freezePayouts: door.freezePayouts }),
  };
  return door;
}

async function settingsOf(deps: WithdrawalsDeps, sellerId: bigint) {
  const [settings, profile, facts] = await Promise.all([
    deps.settings.current(),
    viewProfile(deps.db, sellerId),
    viewSellerFacts(deps.db, sellerId),
  ]);
  assert(facts && profile, `no seller ${sellerId}`);
  const at = { now: deps.clock.now(), zone: deps.timeZone };
  return payoutSettingsToWire({ profile, facts }, settings, at);
}

async function rejectIn(
  tx: Db,
  rejection: Rejection,
  now: Date,
): Promise<Result<null, { kind: "withdrawals.unknown" } | { kind: "withdrawals.not-pending" }>> {
  const { id, reason } = rejection;
  if (await rejectWithdrawal(tx, rejection, now)) {
    await noteNews(tx, id, { news: "rejected", reason, now });
    return ok(null);
  }
  const known = await viewAnyWithdrawal(tx, id);
  return refuse({ kind: known ? "withdrawals.not-pending" : "withdrawals.unknown" });
}
