import {
  type DeskRefusal,
  readOperatorReference,
  readReason,
  RESOLVE_OUTCOMES,
  type ResolveOutcome,
} from "@sesame/contract/desk";
import { ok, type Result, refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { type Ask, type Decided, type Decision, type DecisionRefusal, decide } from "./decide.ts";
import { judge } from "./decide-judge.ts";
import { deskRefusalOf } from "./decide-refusals.ts";
import { inspect, type Resolution, resolveIn } from "../payouts/index.ts";
import { factsOf } from "./queue-facts.ts";
import { DONE_WORDS } from "./messages.fr.ts";
import { findDeskRow } from "./queue.view.ts";

export type ResolveBody = {
  readonly outcome?: unknown;
  readonly provider_payout_id?: unknown;
  readonly reference?: unknown;
  readonly reason?: unknown;
};

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
  const outcome = body.outcome;
  if (!isOutcome(outcome)) return refuse({ kind: "desk.outcome-unknown" });
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

function isOutcome(value: unknown): value is ResolveOutcome {
  return RESOLVE_OUTCOMES.some((outcome) => outcome === value);
}

/** The operator's: of money that was sent, when it is known; of money that came back, always. */
function readReference(outcome: ResolveOutcome, raw: unknown): Result<string | null, DeskRefusal> {
  if (outcome !== "sent" && outcome !== "returned") return ok(null);
  const blank = raw === undefined || raw === null || (typeof raw === "string" && !raw.trim());
  return blank && outcome === "sent" ? ok(null) : readOperatorReference(raw);
}
