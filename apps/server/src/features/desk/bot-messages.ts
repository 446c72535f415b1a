import { createHash } from "node:crypto";
import { type DeskWithdrawalOnWire, LANES, type Lane } from "@sesame/contract/desk";
import type { BotMessage, MessageButton } from "../../bot/message.ts";
import { approveButton, BUTTONS, card, claimButton, confirmButton, list } from "./bot-texts.fr.ts";
import type { DeskBotDeps } from "./deps.ts";
import { withdrawalToWire } from "./queue-on-wire.ts";
import { findDeskRows } from "./queue.view.ts";

/** The part of the seller bot agents are spoken to by. */
export const DESK_BOT = "seller";
export const DESK_PATH = "/bureau";

const CLAIMS_OFFERED = 8;

export type Reader = { readonly personId: bigint; readonly isOperator: boolean };

export type SeenRequest = {
  readonly request: DeskWithdrawalOnWire;
  /** Those that can serve it. */
  readonly lanes: readonly Lane[];
};

/** Requests as an agent may see them now, in the order asked for. */
export async function seeRequests(
  deps: DeskBotDeps,
  reader: Reader,
  ids: readonly bigint[],
): Promise<SeenRequest[]> {
  const reading = {
    me: reader,
    settings: await deps.settings.current(),
    now: deps.clock.now(),
    zone: deps.timeZone,
  };
  const rows = await findDeskRows(deps.db, ids);
  return rows.map((row): SeenRequest => {
    const can = (lane: Lane) => deps.payouts.laneRefusal(lane, row.method, row.amount) === null;
    return { request: withdrawalToWire(row, reading), lanes: LANES.filter(can) };
  });
}

/**
 * One request in full with what the agent may do; several as a list to take from, and how many
 * others came with them.
 */
export function messageAbout(
  deps: DeskBotDeps,
  seen: readonly SeenRequest[],
  others = 0,
): BotMessage {
  const [first] = seen;
  const desk = deps.appButton(BUTTONS.desk, DESK_PATH);
  if (first && seen.length === 1 && others === 0) {
    const buttons = [...actionsOf(first), desk];
    return { text: card(first.request, deps.sayInstant), buttons };
  }
  const requests = seen.map(({ request }) => request);
  const claims = requests
    .filter(({ may, claim }) => may.claim.allowed && !claim)
    .slice(0, CLAIMS_OFFERED)
    .map((request) => ({ text: claimButton(request), callback: `desk:claim:${request.id}` }));
  return { text: list(requests, others), buttons: [...claims, desk] };
}

function actionsOf({ request, lanes }: SeenRequest): MessageButton[] {
  const { id, may, claim, first_approval: first, waiting } = request;
  const button = (text: string, action: string) => ({ text, callback: `desk:${action}:${id}` });
  const approvals = may.approve.allowed
    ? waiting === "second-agent" && first
      ? [button(confirmButton(first.lane), `approve-${first.lane}`)]
      : lanes.map((lane) => button(approveButton(lane), `approve-${lane}`))
    : [];
  return [
    ...(may.claim.allowed && !claim ? [button(BUTTONS.claim, "claim")] : []),
    ...approvals,
    ...(may.paid.allowed ? [button(BUTTONS.reference, "paid")] : []),
    ...(may.failed.allowed ? [button(BUTTONS.failed, "failed")] : []),
    ...(may.reject.allowed ? [button(BUTTONS.reject, "reasons")] : []),
    ...(may.release.allowed ? [button(BUTTONS.release, "release")] : []),
  ];
}

/** What a message shows, to know whether it must be written again. */
export function hashOf(message: BotMessage): Buffer {
  return createHash("sha256").update(JSON.stringify(message)).digest();
}
