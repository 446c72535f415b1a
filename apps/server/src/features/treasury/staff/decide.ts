import type { InstanceSettings } from "@sesame/contract/back-office";
import {
  type DeskAction,
  type DeskRefusal,
  type approveWithdrawal,
  isLane,
  isRejectCode,
  LANE_NAMES,
  type Lane,
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
import { assert, ok, type Result, refuse } from "@sesame/kernel";
import { sql } from "kysely";
import type { z } from "zod";
import type { App } from "../../../app.ts";
import { audit } from "../../../audit/audit.store.ts";
import { type IdempotentCall, once } from "../../../http/on.ts";
import type { Db } from "../../../postgres/database.ts";
import { deskChanged, publish } from "../../../realtime/events.store.ts";
import { noteFirstApproval, rejectIn, setClaim } from "../../withdrawals/index.ts";
import * as engine from "../decide.ts";
import { DONE_WORDS } from "./messages.fr.ts";
import { type DeskRow, findDeskRow, judge, needsSecond } from "./queue-rows.ts";

export type Ask = {
  readonly id: bigint;
  readonly actor: { readonly personId: bigint; readonly isOperator: boolean };
  readonly call: IdempotentCall | null;
};

type Scene = {
  readonly tx: Db;
  readonly row: DeskRow;
  readonly actor: Ask["actor"];
  readonly settings: InstanceSettings;
  readonly now: Date;
};

type Done = {
  readonly status: WithdrawalStatus;
  readonly waiting?: "second-agent";
  /** French, for the agent. */
  readonly message: string;
  /** capability.verb, for the audit log. */
  readonly deed: string;
  readonly reason?: string;
};

export type Decision<Form> = {
  readonly action: DeskAction;
  /** The fields of the call, by their sentences; what is left out may stand in the request. */
  read(row: DeskRow): Result<Form, DeskRefusal>;
  /** What is asked of others, before any lock is taken. */
  inspect?(ask: Ask): Promise<DeskRefusal | null>;
  act(scene: Scene, form: Form): Promise<Result<Done, DeskRefusal>>;
};

/**
 * One decision, one transaction: the key, the request's lock, every reason to say no, the deed, what
 * others hear of it, the audit log, and the answer that the key repeats. A refusal leaves nothing.
 */
export async function decide<Form>(app: App, ask: Ask, decision: Decision<Form>) {
  const { id, actor } = ask;
  const unfit = await decision.inspect?.(ask);
  if (unfit) return refuse(unfit);
  const settings = await app.settings.current();
  const now = app.clock.now();
  return once(app, ask.call, async (tx) => {
    // Waits for whoever decides about the request: agents, and the seller who cancels. All else is
    // read after the lock was given, not with it: what changed while we waited is seen.
    await sql`SELECT FROM withdrawals WHERE id = ${id} FOR UPDATE`.execute(tx);
    const row = await findDeskRow(tx, id);
    if (!row) return refuse<DeskRefusal>({ kind: "desk.withdrawal-not-found" });
    if (row.seller_id === actor.personId) return refuse<DeskRefusal>({ kind: "desk.own-request" });
    const form = decision.read(row);
    if (!form.ok) return form;
    const no = judge(decision.action, row, { me: actor, settings, now });
    if (no) return refuse(no);
    const scene = { tx, row, actor, settings, now };
    const done = await decision.act(scene, form.value);
    if (!done.ok) return done;
    await publish(tx, [deskChanged("withdrawal", id)]);
    await writeDown(scene, done.value);
    const { status, waiting = null, message } = done.value;
    return ok({ status, waiting, message });
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
    return ok({ status: row.status, message: DONE_WORDS[action], deed: `withdrawal.${action}` });
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
    read: (row) => readApproval(body, row.first_approved_lane),
    async act(scene, form) {
      const { row } = scene;
      const { lane } = form;
      const second = needsSecond(row, scene.settings);
      const no = engine.laneRefusal(app, lane, row);
      if (no) return refuse(laneRefusalOf(lane, no));
      if (second && (row.first_approved_by === null || row.first_approved_lane === null)) {
        if (form.reference !== null) return refuse({ kind: "desk.reference-too-early" });
        return ok(await noteFirst(scene, lane));
      }
      const first = second ? row.first_approved_lane : null;
      if (first !== null && first !== lane) {
        // What the first agent chose can no longer serve: the next choice takes two agents again.
        const gone = engine.laneRefusal(app, first, row);
        if (gone && form.reference === null) return ok(await noteFirst(scene, lane));
        return refuse({ kind: "desk.second-agent-lane", laneName: LANE_NAMES[first] });
      }
      return makePayout(app, scene, form);
    },
  };
}

/** The second agent may leave the lane out: it is the first one's. */
function readApproval(body: ApproveBody, firstLane: Lane | null): Result<ApproveForm, DeskRefusal> {
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
    status: "pending",
    waiting: "second-agent",
    message: DONE_WORDS.firstApproval,
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
  const approved = await engine.approveIn(app, tx, { approval, now });
  if (!approved.ok) return refuse(deskRefusalOf(approved.refusal, lane));
  const byHand = lane === "manual" && reference === null;
  // Who approved it by hand pays it: nobody else is to pay it meanwhile.
  await setClaim(tx, row.id, byHand ? { by: actor.personId, now } : null);
  const message = reference !== null ? DONE_WORDS.paid : DONE_WORDS[byHand ? "toPay" : "sending"];
  return ok({ status: "approved", message, deed: "withdrawal.approve" });
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
        status: "rejected",
        message: DONE_WORDS.rejected,
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
export function paidDecision(body: { reference?: unknown }): Decision<string> {
  return {
    action: "paid",
    read: () => readOperatorReference(body.reference),
    async act({ tx, row, now }, reference) {
      const payment = { withdrawalId: row.id, reference };
      const paid = await engine.markPaidByHandIn(tx, { payment, now });
      if (!paid.ok) return refuse(deskRefusalOf(paid.refusal, "manual"));
      await setClaim(tx, row.id, null);
      return ok({ status: "approved", message: DONE_WORDS.paid, deed: "withdrawal.paid" });
    },
  };
}

/** Approved, and the money cannot be sent: it goes back to the seller (decision 86). */
export function failedDecision(body: { reason?: unknown }): Decision<string> {
  return {
    action: "failed",
    read: () => readReason(body.reason),
    async act({ tx, row, now }, reason) {
      const failed = { withdrawalId: row.id, reason };
      const done = await engine.failByHandIn(tx, { failed, now });
      if (!done.ok) return refuse(deskRefusalOf(done.refusal, "manual"));
      await setClaim(tx, row.id, null);
      return ok({
        status: "rejected",
        message: DONE_WORDS.failed,
        deed: "withdrawal.failed",
        reason,
      });
    },
  };
}

type ResolveBody = z.output<typeof resolveWithdrawal.body>;

type Form = Omit<engine.Resolution, "withdrawalId" | "by">;

/** Somebody says how a payout ended that nobody knows the end of, or that what had ended came back. */
export function resolveDecision(app: App, body: ResolveBody): Decision<Form> {
  return {
    action: "resolve",
    read: () => readResolution(body),
    // A link is believed when the provider shows that payout.
    async inspect({ id, actor }) {
      const form = readResolution(body);
      if (!form.ok || form.value.outcome !== "link") return null;
      const row = await findDeskRow(app.db, id);
      // The decision itself says why not.
      const by = { me: actor, settings: await app.settings.current(), now: app.clock.now() };
      if (!row || judge("resolve", row, by)) return null;
      const seen = await engine.inspect(app, id, form.value.providerPayoutId ?? "");
      return seen.ok ? null : deskRefusalOf(seen.refusal, row.payout_lane ?? "manual");
    },
    async act({ tx, row, actor, now }, form) {
      const resolution = { withdrawalId: row.id, by: actor.personId, ...form };
      const done = await engine.resolveIn(tx, { resolution, now });
      if (!done.ok) return refuse(deskRefusalOf(done.refusal, row.payout_lane ?? "manual"));
      const { reference, reason } = form;
      const words = reference ? `${reference} : ${reason}` : reason;
      return ok({ ...ENDS[form.outcome], deed: "withdrawal.resolve", reason: words });
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

function laneRefusalOf(lane: Lane, refusal: engine.LaneRefusal): DeskRefusal {
  const laneName = LANE_NAMES[lane];
  return refusal.kind === "amount"
    ? { kind: "desk.lane-amount", laneName, min: refusal.min, max: refusal.max }
    : { kind: `desk.lane-${refusal.kind}`, laneName };
}

type PayoutNo =
  | engine.ApproveRefusal
  | engine.HandRefusal
  | engine.ResolveRefusal
  | engine.InspectRefusal;

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
    default:
      return { kind: `desk.${refusal.kind}` };
  }
}
