import {
  type DeskRefusal,
  isLane,
  LANE_NAMES,
  type Lane,
  needsSecondAgent,
  readOperatorReference,
} from "@sesame/contract/desk";
import { ok, type Result, refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { approveIn, laneRefusal } from "../payouts/index.ts";
import { renewClaim } from "./decide-claim.ts";
import type { Decision, Done, Scene } from "./decide.ts";
import { dropClaim, writeFirstApproval } from "./decide.store.ts";
import { deskRefusalOf, laneRefusalOf } from "./decide-refusals.ts";
import { DONE_WORDS } from "./messages.fr.ts";

export type ApproveBody = { readonly lane?: unknown; readonly reference?: unknown };

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
  await writeFirstApproval(tx, { id: row.id, by: actor.personId, lane, now });
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
  if (byHand) await renewClaim(scene);
  else await dropClaim(tx, row.id);
  const message = reference !== null ? DONE_WORDS.paid : DONE_WORDS[byHand ? "toPay" : "sending"];
  return ok({
    decided: { status: "approved", waiting: null, message },
    deed: "withdrawal.approve",
  });
}
