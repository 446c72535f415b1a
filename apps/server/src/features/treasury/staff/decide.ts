import type { InstanceSettings } from "@sesame/contract/back-office";
import {
  type StaffAction,
  type StaffRefusal,
  type approveWithdrawal,
  isRail,
  isRejectCode,
  needsSecondAgent,
  PAYOUT_RAIL_NAMES,
  type PayoutRail,
  readOperatorReference,
  readReason,
  REJECT_REASONS,
  type RejectCode,
  type rejectWithdrawal,
  RESOLVE_OUTCOMES,
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
import { staffChanged, publish } from "../../../realtime/events.store.ts";
import { noteFirstApproval, rejectIn, setAssignment } from "../../withdrawals/index.ts";
import * as engine from "../decide.ts";
import * as payouts from "../payouts.ts";
import { DONE_WORDS } from "./messages.fr.ts";
import { type StaffRow, findStaffRow, check } from "./queue-rows.ts";

export type Ask = {
  readonly id: bigint;
  readonly actor: { readonly personId: bigint; readonly isOperator: boolean };
  readonly call: IdempotentCall | null;
};

type Context = {
  readonly tx: Db;
  readonly row: StaffRow;
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
  readonly auditAction: string;
  readonly reason?: string;
};

export type Decision<Form> = {
  readonly action: StaffAction;
  /** Reads the fields of the call or refuses them; an absent one may be in the request. */
  read(row: StaffRow): Result<Form, StaffRefusal>;
  /** Whether it only records money that was sent before. */
  isSent?(form: Form): boolean;
  /** Calls of providers, before any lock. */
  inspect?(ask: Ask): Promise<StaffRefusal | null>;
  act(context: Context, form: Form): Promise<Result<Done, StaffRefusal>>;
};

/**
 * One decision, one transaction: the key, the request's lock, every check, the action, its events, the
 * audit entry, and the answer stored for the key. A refusal writes nothing.
 */
export async function decide<Form>(app: App, ask: Ask, decision: Decision<Form>) {
  const { id, actor } = ask;
  const unfit = await decision.inspect?.(ask);
  if (unfit) return refuse(unfit);
  const settings = await app.settings.current();
  const now = app.clock.now();
  return once(app, ask.call, async (tx) => {
    // Waits for other decisions about the request: agents', and the seller's cancellation. Everything
    // else is read after the lock was granted, by another statement, and so includes their changes.
    await sql`SELECT FROM withdrawals WHERE id = ${id} FOR UPDATE`.execute(tx);
    const row = await findStaffRow(tx, id);
    if (!row) return refuse<StaffRefusal>({ kind: "desk.withdrawal-not-found" });
    if (row.seller_id === actor.personId) return refuse<StaffRefusal>({ kind: "desk.own-request" });
    const form = decision.read(row);
    if (!form.ok) return form;
    const isSent = decision.isSent?.(form.value) ?? false;
    const no = check(decision.action, row, { me: actor, settings, now, isSent });
    if (no) return refuse(no);
    const context = { tx, row, actor, settings, now };
    const done = await decision.act(context, form.value);
    if (!done.ok) return done;
    await publish(tx, [staffChanged("withdrawal", id)]);
    await writeDown(context, done.value);
    const { status, waiting = null, message } = done.value;
    return ok({ status, waiting, message });
  });
}

async function writeDown({ tx, row, actor, now }: Context, done: Done): Promise<void> {
  const after = await findStaffRow(tx, row.id);
  assert(after, "a request decided upon is there");
  const auditEntry = {
    actor: { personId: actor.personId, role: actor.isOperator ? "operator" : "agent" } as const,
    action: done.auditAction,
    subject: `withdrawal:${row.id}`,
    before: snapshotOf(row),
    after: snapshotOf(after),
    reason: done.reason ?? null,
  };
  await audit(tx, auditEntry, now);
}

const snapshotOf = (row: StaffRow) => ({
  status: row.status,
  amount: row.amount,
  assigned_to: row.assigned_to,
  assigned_until: row.assigned_until,
  first_approved_by: row.first_approved_by,
  first_approved_rail: row.first_approved_rail,
  rail: row.payout_rail,
  payout: row.payout_status,
  operator_reference: row.payout_reference,
  paid_at: row.paid_at,
  reject_reason: row.reject_reason,
});

/** Takes a request, again or after another's assignment expired; or releases it. */
export const takingDecision = (action: "assign" | "release"): Decision<null> => ({
  action,
  read: () => ok(null),
  async act({ tx, row, actor, now }) {
    await setAssignment(tx, row.id, action === "assign" ? { by: actor.personId, now } : null);
    if (row.status === "pending") {
      // Whether the seller may cancel has changed: the seller's screens reload.
      const body = { id: String(row.id), status: row.status, paid: false };
      await publish(tx, [{ room: `person:${row.seller_id}`, name: "withdrawal:status", body }]);
    }
    return ok({
      status: row.status,
      message: DONE_WORDS[action],
      auditAction: `withdrawal.${action}`,
    });
  },
});

type ApproveBody = z.output<typeof approveWithdrawal.body>;

type ApproveForm = {
  readonly rail: PayoutRail;
  /** The operator's reference: paid by hand already. */
  readonly reference: string | null;
};

/** Records the first of two approvals; the only one, or the second, creates the payout. */
export function approveDecision(app: App, body: ApproveBody): Decision<ApproveForm> {
  return {
    action: "approve",
    // The second agent may omit the rail: it is the first one's.
    read({ first_approved_rail: first }): Result<ApproveForm, StaffRefusal> {
      const rail = isBlank(body.rail) ? first : body.rail;
      if (!isRail(rail)) return refuse({ kind: "desk.rail-unknown" });
      if (isBlank(body.reference)) return ok({ rail, reference: null });
      if (rail !== "manual") return refuse({ kind: "desk.reference-not-manual" });
      const reference = readOperatorReference(body.reference);
      return reference.ok ? ok({ rail, reference: reference.value }) : reference;
    },
    isSent: ({ reference }) => reference !== null,
    async act(context, form) {
      const { row } = context;
      const { rail } = form;
      const second = needsSecondAgent(row, context.settings);
      const no = payouts.railRefusal(app, rail, row);
      if (no) return refuse(railRefusalOf(rail, no));
      if (second && (row.first_approved_by === null || row.first_approved_rail === null)) {
        if (form.reference !== null) return refuse({ kind: "desk.reference-too-early" });
        return ok(await noteFirst(context, rail));
      }
      const first = second ? row.first_approved_rail : null;
      if (first !== null && first !== rail) {
        // The first agent's rail can no longer serve: the next choice needs two agents again.
        const gone = payouts.railRefusal(app, first, row);
        if (gone && form.reference === null) return ok(await noteFirst(context, rail));
        return refuse({ kind: "desk.second-agent-rail", railName: PAYOUT_RAIL_NAMES[first] });
      }
      const { tx, actor, now } = context;
      const { reference } = form;
      const given = reference === null ? {} : { reference };
      const approval = { withdrawalId: row.id, rail, by: actor.personId, ...given };
      const approved = await payouts.approveIn(app, tx, { approval, now });
      if (!approved.ok) return refuse(staffRefusalOf(approved.refusal, rail));
      const byHand = rail === "manual" && reference === null;
      // An approval by hand assigns the request to its agent: nobody else should pay it meanwhile.
      await setAssignment(tx, row.id, byHand ? { by: actor.personId, now } : null);
      const word = reference !== null ? "paid" : byHand ? "toPay" : "sending";
      const message = DONE_WORDS[word];
      return ok({ status: "approved", message, auditAction: "withdrawal.approve" });
    },
  };
}

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === "string" && value.trim() === "");

async function noteFirst({ tx, row, actor, now }: Context, rail: PayoutRail): Promise<Done> {
  await noteFirstApproval(tx, row.id, { by: actor.personId, rail, now });
  return {
    status: "pending",
    waiting: "second-agent",
    message: DONE_WORDS.firstApproval,
    auditAction: "withdrawal.approve-first",
  };
}

type RejectBody = z.output<typeof rejectWithdrawal.body>;

type Rejection = { readonly code: RejectCode; readonly reason: string };

/** The francs return to the seller, who reads the reason. */
export function rejectDecision(body: RejectBody): Decision<Rejection> {
  return {
    action: "reject",
    // The agent's own words, if any, else the sentence of the code.
    read() {
      const code = body.reason_code;
      if (!isRejectCode(code)) return refuse({ kind: "desk.reason-code-unknown" });
      const { sentence } = REJECT_REASONS[code];
      if (sentence !== null && isBlank(body.reason)) return ok({ code, reason: sentence });
      const reason = readReason(body.reason);
      return reason.ok ? ok({ code, reason: reason.value }) : reason;
    },
    async act({ tx, row, actor, now }, { code, reason }) {
      const rejected = await rejectIn(tx, { id: row.id, code, reason, by: actor.personId }, now);
      if (!rejected.ok) return refuse({ kind: "desk.withdrawal-not-found" });
      return ok({
        status: "rejected",
        message: DONE_WORDS.rejected,
        auditAction: "withdrawal.reject",
        reason,
      });
    },
  };
}

/** An agent sent the money, with the operator's reference as proof. */
export function paidDecision(body: { reference?: unknown }): Decision<string> {
  return {
    action: "paid",
    read: () => readOperatorReference(body.reference),
    async act({ tx, row, now }, reference) {
      const payment = { withdrawalId: row.id, reference };
      const paid = await engine.markPaidByHandIn(tx, { payment, now });
      if (!paid.ok) return refuse(staffRefusalOf(paid.refusal, "manual"));
      await setAssignment(tx, row.id, null);
      return ok({ status: "approved", message: DONE_WORDS.paid, auditAction: "withdrawal.paid" });
    },
  };
}

/** Approved, but the money cannot be sent: it returns to the seller (decision 86). */
export function failedDecision(body: { reason?: unknown }): Decision<string> {
  return {
    action: "failed",
    read: () => readReason(body.reason),
    async act({ tx, row, now }, reason) {
      const failed = { withdrawalId: row.id, reason };
      const done = await engine.failByHandIn(tx, { failed, now });
      if (!done.ok) return refuse(staffRefusalOf(done.refusal, "manual"));
      await setAssignment(tx, row.id, null);
      return ok({
        status: "rejected",
        message: DONE_WORDS.failed,
        auditAction: "withdrawal.failed",
        reason,
      });
    },
  };
}

type ResolveBody = z.output<typeof resolveWithdrawal.body>;

type Form = Omit<engine.Resolution, "withdrawalId" | "by">;

/** Enters the end of an uncertain payout, or that a received one came back. */
export function resolveDecision(app: App, body: ResolveBody): Decision<Form> {
  return {
    action: "resolve",
    read: () => readResolution(body),
    // A link is accepted if the provider has that payout.
    async inspect({ id, actor }) {
      const form = readResolution(body);
      if (!form.ok || form.value.outcome !== "link") return null;
      const row = await findStaffRow(app.db, id);
      // The decision itself gives the refusal.
      const by = { me: actor, settings: await app.settings.current(), now: app.clock.now() };
      if (!row || check("resolve", row, by)) return null;
      const seen = await engine.inspect(app, id, form.value.providerPayoutId ?? "");
      return seen.ok ? null : staffRefusalOf(seen.refusal, row.payout_rail ?? "manual");
    },
    async act({ tx, row, actor, now }, form) {
      const resolution = { withdrawalId: row.id, by: actor.personId, ...form };
      const done = await engine.resolveIn(tx, { resolution, now });
      if (!done.ok) return refuse(staffRefusalOf(done.refusal, row.payout_rail ?? "manual"));
      const { reference, reason } = form;
      const words = reference ? `${reference} : ${reason}` : reason;
      return ok({ ...ENDS[form.outcome], auditAction: "withdrawal.resolve", reason: words });
    },
  };
}

const ENDS = {
  sent: { status: "approved", message: DONE_WORDS.resolvedSent },
  "not-sent": { status: "rejected", message: DONE_WORDS.resolvedNotSent },
  link: { status: "approved", message: DONE_WORDS.resolvedLink },
  returned: { status: "rejected", message: DONE_WORDS.resolvedReturned },
} as const;

function readResolution(body: ResolveBody): Result<Form, StaffRefusal> {
  const outcome = RESOLVE_OUTCOMES.find((each) => each === body.outcome);
  if (!outcome) return refuse({ kind: "desk.outcome-unknown" });
  const id = typeof body.provider_payout_id === "string" ? body.provider_payout_id.trim() : "";
  if (outcome === "link" && !/^[\x21-\x7e]{1,100}$/.test(id)) {
    return refuse({ kind: "desk.payout-id-missing" });
  }
  // The operator's reference: optional for sent money, required for returned money.
  const isNamed = outcome === "returned" || (outcome === "sent" && !isBlank(body.reference));
  const reference = isNamed ? readOperatorReference(body.reference) : ok(null);
  if (!reference.ok) return reference;
  const reason = readReason(body.reason);
  if (!reason.ok) return reason;
  return ok({
    outcome,
    reason: reason.value,
    ...(outcome === "link" ? { providerPayoutId: id } : {}),
    ...(reference.value === null ? {} : { reference: reference.value }),
  });
}

function railRefusalOf(rail: PayoutRail, refusal: payouts.RailRefusal): StaffRefusal {
  const railName = PAYOUT_RAIL_NAMES[rail];
  return refusal.kind === "amount"
    ? { kind: "desk.rail-amount", railName, min: refusal.min, max: refusal.max }
    : { kind: `desk.rail-${refusal.kind}`, railName };
}

/** Maps a refusal of the payout engine to one of the back office. */
function staffRefusalOf(refusal: payouts.DecisionRefusal, rail: PayoutRail): StaffRefusal {
  switch (refusal.kind) {
    // Impossible while the request is locked and pending.
    case "not-pending":
      return { kind: "desk.withdrawal-not-found" };
    case "rail":
      return railRefusalOf(rail, refusal.refusal);
    default:
      return { kind: `desk.${refusal.kind}` };
  }
}
