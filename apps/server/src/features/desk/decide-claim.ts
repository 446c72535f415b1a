import { CLAIM_MS } from "@sesame/contract/desk";
import { addMs, ok } from "@sesame/kernel";
import { publish } from "../../realtime/events.store.ts";
import type { Decision, Scene } from "./decide.ts";
import { dropClaim, writeClaim } from "./decide.store.ts";
import { DONE_WORDS } from "./messages.fr.ts";

const nothingToRead = () => ok(null);

/** Taken by one agent, again by the same, or from one whose time is over. */
export const claimDecision: Decision<null> = {
  action: "claim",
  read: nothingToRead,
  async act(scene) {
    await renewClaim(scene);
    await tellSeller(scene);
    return ok({
      decided: { status: scene.row.status, waiting: null, message: DONE_WORDS.claim },
      deed: "withdrawal.claim",
    });
  },
};

export const releaseDecision: Decision<null> = {
  action: "release",
  read: nothingToRead,
  async act(scene) {
    const { tx, row } = scene;
    await dropClaim(tx, row.id);
    await tellSeller(scene);
    return ok({
      decided: { status: row.status, waiting: null, message: DONE_WORDS.release },
      deed: "withdrawal.release",
    });
  },
};

/** Whether he may cancel has changed: his screens look again. */
async function tellSeller({ tx, row }: Scene): Promise<void> {
  if (row.status !== "pending") return;
  const body = { id: String(row.id), status: row.status, paid: false };
  await publish(tx, [{ room: `person:${row.seller_id}`, name: "withdrawal:status", body }]);
}

export async function renewClaim({ tx, row, actor, now }: Scene): Promise<void> {
  const until = addMs(now, CLAIM_MS);
  await writeClaim(tx, { id: row.id, by: actor.personId, until });
}
