import type { CommonRefusal } from "@sesame/contract";
import type { DeskAction, DeskRefusal } from "@sesame/contract/desk";
import type { InstanceSettings } from "@sesame/contract/settings";
import type { WithdrawalStatus } from "@sesame/contract/withdrawals";
import { assert, ok, type Result, refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { audit } from "../../audit/audit.store.ts";
import { claimKey, type IdempotentCall, rememberAnswer } from "../../http/idempotency.store.ts";
import type { Db } from "../../postgres/database.ts";
import { deskChanged, publish } from "../../realtime/events.store.ts";
import { type DeskFacts, judge } from "./decide-judge.ts";
import { lockWithdrawal } from "./decide.store.ts";
import { factsOf } from "./queue-facts.ts";
import { type DeskRow, findDeskRow } from "./queue.view.ts";

export type DeskActor = { readonly personId: bigint; readonly isOperator: boolean };

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

export type DecisionRefusal = DeskRefusal | Extract<CommonRefusal, { kind: "request.key-reused" }>;

/**
 * One decision, one transaction: the key, the request's lock, every reason to say no, the deed, what
 * others hear of it, and the audit log last. A refusal leaves nothing behind.
 */
export async function decide<Form>(
  app: App,
  ask: Ask,
  decision: Decision<Form>,
): Promise<Result<Decided, DecisionRefusal>> {
  const settings = await app.settings.current();
  const now = app.clock.now();
  try {
    return await app.db.transaction().execute(async (tx) => {
      const known = await claimCall(tx, ask, now);
      if (known) return known;
      const scene = await openScene(tx, ask, { settings, now });
      const form = valueOf(decision.read(scene.facts));
      refuseIf(judge(decision.action, scene.facts, { me: ask.actor, settings, now }));
      const done = valueOf(await decision.act(scene, form));
      if (ask.call) await rememberAnswer(tx, ask.call, { status: 200, answer: done.decided });
      await tellOthers(scene);
      await writeDown(scene, done);
      return ok(done.decided);
    });
  } catch (error) {
    if (error instanceof Refused) return refuse(error.refusal);
    throw error;
  }
}

/** Rolls the transaction back with the reason. */
class Refused extends Error {
  readonly refusal: DecisionRefusal;

  constructor(refusal: DecisionRefusal) {
    super(refusal.kind);
    this.refusal = refusal;
  }
}

function refuseIf(refusal: DecisionRefusal | null): void {
  if (refusal) throw new Refused(refusal);
}

function valueOf<T>(result: Result<T, DeskRefusal>): T {
  if (!result.ok) throw new Refused(result.refusal);
  return result.value;
}

async function claimCall(tx: Db, { call }: Ask, now: Date): Promise<Result<Decided, never> | null> {
  if (!call) return null;
  const claim = await claimKey(tx, call, now);
  if (claim.kind === "other-content") throw new Refused({ kind: "request.key-reused" });
  return claim.kind === "repeated" ? ok(claim.remembered.answer as Decided) : null;
}

async function openScene(
  tx: Db,
  { id, actor }: Ask,
  at: Pick<Scene, "settings" | "now">,
): Promise<Scene> {
  const there = await lockWithdrawal(tx, id);
  // Read after the lock was given, not with it: what changed while we waited is seen.
  const row = there ? await findDeskRow(tx, id) : null;
  if (!row) throw new Refused({ kind: "desk.withdrawal-not-found" });
  if (row.seller_id === actor.personId) throw new Refused({ kind: "desk.own-request" });
  return { tx, row, facts: factsOf(row), actor, ...at };
}

async function tellOthers({ tx, row }: Scene): Promise<void> {
  await publish(tx, [deskChanged("withdrawal", row.id)]);
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
