import type { CommonRefusal } from "@sesame/contract";
import type { DeskAction, DeskRefusal } from "@sesame/contract/treasury";
import type { InstanceSettings } from "@sesame/contract/back-office";
import type { WithdrawalStatus } from "@sesame/contract/withdrawals";
import { assert, ok, type Result, refuse } from "@sesame/kernel";
import { sql } from "kysely";
import type { App } from "../../../app.ts";
import { audit } from "../../../audit/audit.store.ts";
import { type IdempotentCall, once } from "../../../http/on.ts";
import type { Db } from "../../../postgres/database.ts";
import { deskChanged, publish } from "../../../realtime/events.store.ts";
import { type DeskFacts, judge } from "./decide-judge.ts";
import { type DeskRow, factsOf, findDeskRow } from "./queue-rows.ts";

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
