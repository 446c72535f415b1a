import type { CommonRefusal } from "@sesame/contract";
import type { InstanceSettings } from "@sesame/contract/back-office";
import {
  type DeskAction,
  type DeskRefusal,
  type approveWithdrawal,
  isLane,
  isRejectCode,
  LANE_NAMES,
  type Lane,
  needsSecondAgent,
  readOperatorReference,
  readReason,
  REJECT_REASONS,
  type RejectCode,
  type rejectWithdrawal,
  RESOLVE_OUTCOMES,
  type ResolveOutcome,
  type resolveWithdrawal,
} from "@sesame/contract/treasury";
import type { WithdrawalStatus } from "@sesame/contract/withdrawals";
import { assert, ok, type Result, refuse, unreachable } from "@sesame/kernel";
import { sql } from "kysely";
import type { z } from "zod";
import type { App } from "../../../app.ts";
import { audit } from "../../../audit/audit.store.ts";
import { type IdempotentCall, once } from "../../../http/on.ts";
import type { Db } from "../../../postgres/database.ts";
import { deskChanged, publish } from "../../../realtime/events.store.ts";
import { noteFirstApproval, rejectIn, setClaim } from "../../withdrawals/index.ts";
import {
  type ApproveRefusal,
  approveIn,
  failByHandIn,
  type HandRefusal,
  type InspectRefusal,
  inspect,
  type LaneRefusal,
  laneRefusal,
  markPaidByHandIn,
  type Resolution,
  type ResolveRefusal,
  resolveIn,
} from "../decide.ts";
import { DONE_WORDS } from "./messages.fr.ts";
import { type DeskFacts, judge, type DeskRow, factsOf, findDeskRow } from "./queue-rows.ts";

type DeskActor = { readonly personId: bigint; readonly isOperator: boolean };

export type Ask = {
  readonly id: bigint;
  readonly actor: DeskActor;
  readonly call: IdempotentCall | null;
};

/** What a decision answers; French, for the agent. */
export type Decided = {
  readonly status: WithdrawalStatus;
  readonly waiting: "second-agent" | null;
  readonly message: string;
};

export type Scene = {
  readonly tx: Db;
  readonly row: DeskRow;
  readonly facts: DeskFacts;
  readonly actor: DeskActor;
  readonly settings: InstanceSettings;
  readonly now: Date;
};

export type Done = {
  readonly decided: Decided;
  /** capability.verb, for the audit log. */
  readonly deed: string;
  readonly reason?: string;
};

export type Decision<Form> = {
  readonly action: DeskAction;
  /** The fields of the call, by their sentences; what is left out may stand in the request. */
  read(facts: DeskFacts): Result<Form, DeskRefusal>;
  act(scene: Scene, form: Form): Promise<Result<Done, DeskRefusal>>;
};

export type DecisionRefusal = DeskRefusal | CommonRefusal;

/**
 * One decision, one transaction: the key, the request's lock, every reason to say no, the deed, what
 * others hear of it, the audit log, and the answer that the key repeats. A refusal leaves nothing.
 */
export async function decide<Form>(
  app: App,
  { id, actor, call }: Ask,
  decision: Decision<Form>,
): Promise<Result<Decided, DecisionRefusal>> {
  const settings = await app.settings.current();
  const now = app.clock.now();
  return once(app, call, async (tx): Promise<Result<Decided, DeskRefusal>> => {
    // Waits for whoever decides about the request: agents, and the seller who cancels. All else is
    // read after the lock was given, not with it: what changed while we waited is seen.
    await sql`SELECT FROM withdrawals WHERE id = ${id} FOR UPDATE`.execute(tx);
    const row = await findDeskRow(tx, id);
    if (!row) return refuse({ kind: "desk.withdrawal-not-found" });
    if (row.seller_id === actor.personId) return refuse({ kind: "desk.own-request" });
    const facts = factsOf(row);
    const form = decision.read(facts);
    if (!form.ok) return form;
    const no = judge(decision.action, facts, { me: actor, settings, now });
    if (no) return refuse(no);
    const scene = { tx, row, facts, actor, settings, now };
    const done = await decision.act(scene, form.value);
    if (!done.ok) return done;
    await publish(tx, [deskChanged("withdrawal", id)]);
    await writeDown(scene, done.value);
    return ok(done.value.decided);
  });
}

async function writeDown({ tx, row, actor, now }: Scene, done: Done): Promise<void> {
  const after = await findDeskRow(tx, row.id);
  assert(after, "a request decided upon is there");
  const deed = {
    actor: { personId: actor.personId, role: actor.isOperator ? "operator" : "agent" } as const,
    action: done.deed,
    subject: `withdrawal:${row.id}`,
    before: snapshotOf(row),
    after: snapshotOf(after),
    reason: done.reason ?? null,
  };
  await audit(tx, deed, now);
}

function snapshotOf(row: DeskRow) {
  return {
    status: row.status,
    amount: row.amount,
    claimed_by: row.claimed_by,
    claimed_until: row.claimed_until,
    first_approved_by: row.first_approved_by,
    first_approved_lane: row.first_approved_lane,
    lane: row.payout_lane,
    payout: row.payout_status,
    operator_reference: row.payout_reference,
    paid_at: row.paid_at,
    reject_reason: row.reject_reason,
  };
}

/** Taken by one agent, again by the same, or from one whose time is over; or given back. */
export const takingDecision = (action: "claim" | "release"): Decision<null> => ({
  action,
  read: () => ok(null),
  async act({ tx, row, actor, now }) {
    await setClaim(tx, row.id, action === "claim" ? { by: actor.personId, now } : null);
    if (row.status === "pending") {
      // Whether the seller may cancel has changed: his screens look again.
      const body = { id: String(row.id), status: row.status, paid: false };
      await publish(tx, [{ room: `person:${row.seller_id}`, name: "withdrawal:status", body }]);
    }
    return ok({
      decided: { status: row.status, waiting: null, message: DONE_WORDS[action] },
      deed: `withdrawal.${action}`,
    });
  },
});

type ApproveBody = z.output<typeof approveWithdrawal.body>;

type ApproveForm = {
  readonly lane: Lane;
  /** The operator's: by hand, and sent already. */
  readonly reference: string | null;
};

/** The first of two approvals is noted; the only one, or the second, makes the payout. */
export function approveDecision(app: App, body: ApproveBody): Decision<ApproveForm> {
  return {
    action: "approve",
    read: (facts) => readApproval(body, facts.firstApproval?.lane),
    async act(scene, form) {
      const { facts, settings } = scene;
      const { lane } = form;
      const second = needsSecondAgent(facts.risk, settings);
      const no = laneRefusal(app, lane, scene.row);
      if (no) return refuse(laneRefusalOf(lane, no));
      if (second && !facts.firstApproval) {
        if (form.reference !== null) return refuse({ kind: "desk.reference-too-early" });
        return ok(await noteFirst(scene, lane));
      }
      const first = second ? facts.firstApproval?.lane : undefined;
      if (first !== undefined && first !== lane) {
        // What the first agent chose can no longer serve: the next choice takes two agents again.
        const gone = laneRefusal(app, first, scene.row);
        if (gone && form.reference === null) return ok(await noteFirst(scene, lane));
        return refuse({ kind: "desk.second-agent-lane", laneName: LANE_NAMES[first] });
      }
      return makePayout(app, scene, form);
    },
  };
}

/** The second agent may leave the lane out: it is the first one's. */
function readApproval(
  body: ApproveBody,
  firstLane: Lane | undefined,
): Result<ApproveForm, DeskRefusal> {
  const lane = isBlank(body.lane) ? firstLane : body.lane;
  if (!isLane(lane)) return refuse({ kind: "desk.lane-unknown" });
  if (isBlank(body.reference)) return ok({ lane, reference: null });
  if (lane !== "manual") return refuse({ kind: "desk.reference-not-manual" });
  const reference = readOperatorReference(body.reference);
  return reference.ok ? ok({ lane, reference: reference.value }) : reference;
}

function isBlank(value: unknown): boolean {
  return (
    value === undefined || value === null || (typeof value === "string" && value.trim() === "")
  );
}

async function noteFirst({ tx, row, actor, now }: Scene, lane: Lane): Promise<Done> {
  await noteFirstApproval(tx, row.id, { by: actor.personId, lane, now });
  return {
    decided: { status: "pending", waiting: "second-agent", message: DONE_WORDS.firstApproval },
    deed: "withdrawal.approve-first",
  };
}

async function makePayout(
  app: App,
  scene: Scene,
  { lane, reference }: ApproveForm,
): Promise<Result<Done, DeskRefusal>> {
  const { tx, row, actor, now } = scene;
  const given = reference === null ? {} : { reference };
  const approval = { withdrawalId: row.id, lane, by: actor.personId, ...given };
  const approved = await approveIn(app, tx, { approval, now });
  if (!approved.ok) return refuse(deskRefusalOf(approved.refusal, lane));
  const byHand = lane === "manual" && reference === null;
  // Who approved it by hand pays it: nobody else is to pay it meanwhile.
  await setClaim(tx, row.id, byHand ? { by: actor.personId, now } : null);
  const message = reference !== null ? DONE_WORDS.paid : DONE_WORDS[byHand ? "toPay" : "sending"];
  return ok({
    decided: { status: "approved", waiting: null, message },
    deed: "withdrawal.approve",
  });
}

type RejectBody = z.output<typeof rejectWithdrawal.body>;

type Rejection = { readonly code: RejectCode; readonly reason: string };

/** The francs go back to the seller, who reads the reason. */
export function rejectDecision(body: RejectBody): Decision<Rejection> {
  return {
    action: "reject",
    read: () => readRejection(body),
    async act({ tx, row, actor, now }, { code, reason }) {
      const rejected = await rejectIn(tx, { id: row.id, code, reason, by: actor.personId }, now);
      if (!rejected.ok) return refuse({ kind: "desk.withdrawal-not-found" });
      return ok({
        decided: { status: "rejected", waiting: null, message: DONE_WORDS.rejected },
        deed: "withdrawal.reject",
        reason,
      });
    },
  };
}

/** The agent's own words, if any, else the sentence of the code. */
function readRejection(body: RejectBody): Result<Rejection, DeskRefusal> {
  const code = body.reason_code;
  if (!isRejectCode(code)) return refuse({ kind: "desk.reason-code-unknown" });
  const { sentence } = REJECT_REASONS[code];
  if (sentence !== null && isBlank(body.reason)) return ok({ code, reason: sentence });
  const reason = readReason(body.reason);
  return reason.ok ? ok({ code, reason: reason.value }) : reason;
}

/** An agent sent the money: the operator's reference proves it. */
export function paidDecision(app: App, body: { reference?: unknown }): Decision<string> {
  return {
    action: "paid",
    read: () => readOperatorReference(body.reference),
    async act({ tx, row, now }, reference) {
      const payment = { withdrawalId: row.id, reference };
      const paid = await markPaidByHandIn(tx, { payment, now });
      if (!paid.ok) return refuse(deskRefusalOf(paid.refusal, "manual"));
      await setClaim(tx, row.id, null);
      return ok({
        decided: { status: "approved", waiting: null, message: DONE_WORDS.paid },
        deed: "withdrawal.paid",
      });
    },
  };
}

/** Approved, and the money cannot be sent: it goes back to the seller (decision 86). */
export function failedDecision(app: App, body: { reason?: unknown }): Decision<string> {
  return {
    action: "failed",
    read: () => readReason(body.reason),
    async act({ tx, row, now }, reason) {
      const failed = { withdrawalId: row.id, reason };
      const done = await failByHandIn(tx, { failed, now });
      if (!done.ok) return refuse(deskRefusalOf(done.refusal, "manual"));
      await setClaim(tx, row.id, null);
      return ok({
        decided: { status: "rejected", waiting: null, message: DONE_WORDS.failed },
        deed: "withdrawal.failed",
        reason,
      });
    },
  };
}

type ResolveBody = z.output<typeof resolveWithdrawal.body>;

type Form = Omit<Resolution, "withdrawalId" | "by">;

/** Somebody says how a payout ended that nobody knows the end of, or that what had ended came back. */
export async function resolveUncertain(
  app: App,
  ask: Ask,
  body: ResolveBody,
): Promise<Result<Decided, DecisionRefusal>> {
  const refusal = await inspectFirst(app, ask, body);
  return refusal ? refuse(refusal) : decide(app, ask, resolveDecision(app, body));
}

/** A link is believed when the provider shows that payout: asked before any lock is taken. */
async function inspectFirst(
  app: App,
  { id, actor }: Ask,
  body: ResolveBody,
): Promise<DeskRefusal | null> {
  const form = readResolution(body);
  if (!form.ok || form.value.outcome !== "link") return null;
  const row = await findDeskRow(app.db, id);
  // The decision itself says why not.
  const by = { me: actor, settings: await app.settings.current(), now: app.clock.now() };
  if (!row || judge("resolve", factsOf(row), by)) return null;
  const seen = await inspect(app, id, form.value.providerPayoutId ?? "");
  return seen.ok ? null : deskRefusalOf(seen.refusal, row.payout_lane ?? "manual");
}

function resolveDecision(app: App, body: ResolveBody): Decision<Form> {
  return {
    action: "resolve",
    read: () => readResolution(body),
    async act({ tx, row, actor, now }, form) {
      const resolution = { withdrawalId: row.id, by: actor.personId, ...form };
      const resolved = await resolveIn(tx, { resolution, now });
      if (!resolved.ok) {
        return refuse(deskRefusalOf(resolved.refusal, row.payout_lane ?? "manual"));
      }
      const { status, message } = ENDS[form.outcome];
      return ok({
        decided: { status, waiting: null, message },
        deed: "withdrawal.resolve",
        reason: form.reference ? `${form.reference} : ${form.reason}` : form.reason,
      });
    },
  };
}

const ENDS = {
  sent: { status: "approved", message: DONE_WORDS.resolvedSent },
  "not-sent": { status: "rejected", message: DONE_WORDS.resolvedNotSent },
  link: { status: "approved", message: DONE_WORDS.resolvedLink },
  returned: { status: "rejected", message: DONE_WORDS.resolvedReturned },
} as const;

function readResolution(body: ResolveBody): Result<Form, DeskRefusal> {
  const outcome = RESOLVE_OUTCOMES.find((each) => each === body.outcome);
  if (!outcome) return refuse({ kind: "desk.outcome-unknown" });
  const id = typeof body.provider_payout_id === "string" ? body.provider_payout_id.trim() : "";
  if (outcome === "link" && !/^[\x21-\x7e]{1,100}$/.test(id)) {
    return refuse({ kind: "desk.payout-id-missing" });
  }
  const told = readReference(outcome, body.reference);
  if (!told.ok) return told;
  const reason = readReason(body.reason);
  if (!reason.ok) return reason;
  return ok({
    outcome,
    reason: reason.value,
    ...(outcome === "link" ? { providerPayoutId: id } : {}),
    ...(told.value === null ? {} : { reference: told.value }),
  });
}

/** The operator's: of money that was sent, when it is known; of money that came back, always. */
function readReference(outcome: ResolveOutcome, raw: unknown): Result<string | null, DeskRefusal> {
  if (outcome !== "sent" && outcome !== "returned") return ok(null);
  return isBlank(raw) && outcome === "sent" ? ok(null) : readOperatorReference(raw);
}

function laneRefusalOf(lane: Lane, refusal: LaneRefusal): DeskRefusal {
  const laneName = LANE_NAMES[lane];
  switch (refusal.kind) {
    case "closed":
      return { kind: "desk.lane-closed", laneName };
    case "method":
      return { kind: "desk.lane-method", laneName };
    case "amount":
      return { kind: "desk.lane-amount", laneName, min: refusal.min, max: refusal.max };
  }
}

type PayoutNo = ApproveRefusal | HandRefusal | ResolveRefusal | InspectRefusal;

/** What the payouts' engine says no with, in the desk's words. */
function deskRefusalOf(refusal: PayoutNo, lane: Lane): DeskRefusal {
  switch (refusal.kind) {
    case "not-pending": {
      const { status } = refusal;
      if (status === "approved" || status === "rejected" || status === "cancelled") {
        return { kind: "desk.already-decided", status };
      }
      return { kind: "desk.withdrawal-not-found" };
    }
    case "lane":
      return laneRefusalOf(lane, refusal.refusal);
    case "reference-missing":
      return { kind: "desk.reference-missing" };
    case "reference-used":
      return { kind: "desk.reference-used" };
    case "nothing-to-pay":
      return { kind: "desk.nothing-to-pay" };
    case "not-uncertain":
      return { kind: "desk.not-uncertain" };
    case "payout-id-used":
      return { kind: "desk.payout-id-used" };
    case "payout-unknown":
      return { kind: "desk.payout-unknown" };
    case "payout-differs":
      return { kind: "desk.payout-differs" };
    default:
      return unreachable(refusal);
  }
}
