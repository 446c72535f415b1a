import {
  type DeskRefusal,
  isRejectCode,
  readOperatorReference,
  readReason,
  REJECT_REASONS,
  type RejectCode,
} from "@sesame/contract/desk";
import { ok, type Result, refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { failByHandIn, markPaidByHandIn } from "../payouts/index.ts";
import { rejectIn } from "../withdrawals/index.ts";
import type { Decision } from "./decide.ts";
import { dropClaim } from "./decide.store.ts";
import { deskRefusalOf } from "./decide-refusals.ts";
import { DONE_WORDS } from "./messages.fr.ts";

export type RejectBody = { readonly reason_code?: unknown; readonly reason?: unknown };

type Rejection = { readonly code: RejectCode; readonly reason: string };

/** The francs go back to the seller, who reads the reason. */
export function rejectDecision(body: RejectBody): Decision<Rejection> {
  return {
    action: "reject",
    read: () => readRejection(body),
    async act({ tx, row, actor, now }, { code, reason }) {
      const rejected = await rejectIn(tx, { id: row.id, code, reason, by: actor.personId }, now);
      if (!rejected.ok) return refuse({ kind: "desk.withdrawal-not-found" });
      await dropClaim(tx, row.id);
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
  const silent =
    body.reason === undefined ||
    body.reason === null ||
    (typeof body.reason === "string" && body.reason.trim() === "");
  if (sentence !== null && silent) return ok({ code, reason: sentence });
  const reason = readReason(body.reason);
  return reason.ok ? ok({ code, reason: reason.value }) : reason;
}

/** An agent sent the money: the operator's reference proves it. */
export function paidDecision(app: App, body: { reference?: unknown }): Decision<string> {
  return {
    action: "paid",
    read: () => readOperatorReference(body.reference),
    async act({ tx, row, actor, now }, reference) {
      const payment = { withdrawalId: row.id, reference, by: actor.personId };
      const paid = await markPaidByHandIn(tx, { payment, now });
      if (!paid.ok) return refuse(deskRefusalOf(paid.refusal, "manual"));
      await dropClaim(tx, row.id);
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
    async act({ tx, row, actor, now }, reason) {
      const failed = { withdrawalId: row.id, reason, by: actor.personId };
      const done = await failByHandIn(tx, { failed, now });
      if (!done.ok) return refuse(deskRefusalOf(done.refusal, "manual"));
      await dropClaim(tx, row.id);
      return ok({
        decided: { status: "rejected", waiting: null, message: DONE_WORDS.failed },
        deed: "withdrawal.failed",
        reason,
      });
    },
  };
}
