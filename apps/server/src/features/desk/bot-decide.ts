import { commonRefusals, sayRefusal } from "@sesame/contract";
import { deskRefusals, isLane, isRejectCode } from "@sesame/contract/desk";
import type { Result } from "@sesame/kernel";
import type { Asking } from "./bot-messages.store.ts";
import { approveDecision } from "./decide-approve.ts";
import { claimDecision, releaseDecision } from "./decide-claim.ts";
import { failedDecision, paidDecision, rejectDecision } from "./decide-end.ts";
import { type Ask, type Decided, type DecisionRefusal, decide } from "./decide.ts";
import type { DeskBotDeps } from "./deps.ts";

/** The route under which the bot's acts are remembered: one update, one effect. */
const BOT_ROUTE = "bot desk";

/** Who acts, upon what, and the update that says so. */
export type BotAct = {
  readonly id: bigint;
  readonly actor: Ask["actor"];
  /** Telegram's own: a callback query's id, or a message's. */
  readonly key: string;
  /** What was tapped or written. */
  readonly content: string;
};

type Outcome = Promise<Result<Decided, DecisionRefusal>>;

function askOf({ id, actor, key, content }: BotAct): Ask {
  return { id, actor, call: { personId: actor.personId, route: BOT_ROUTE, key, content } };
}

/** The decision behind a button; null when there is none. */
export function decideByTap(deps: DeskBotDeps, act: BotAct, action: string): Outcome | null {
  const ask = askOf(act);
  const lane = /^approve-(.+)$/.exec(action)?.[1];
  const code = /^reject-(.+)$/.exec(action)?.[1];
  if (action === "claim") return decide(deps, ask, claimDecision);
  if (action === "release") return decide(deps, ask, releaseDecision);
  if (isLane(lane)) return decide(deps, ask, approveDecision(deps, { lane }));
  if (isRejectCode(code) && code !== "other") {
    return decide(deps, ask, rejectDecision(deps, { reason_code: code }));
  }
  return null;
}

/** The decision behind an answer to the bot's question. */
export function decideByAnswer(deps: DeskBotDeps, act: BotAct, asks: Asking): Outcome {
  const ask = askOf(act);
  const text = act.content;
  switch (asks) {
    case "reference":
      return decide(deps, ask, paidDecision(deps, { reference: text }));
    case "failure":
      return decide(deps, ask, failedDecision(deps, { reason: text }));
    case "reject-reason":
      return decide(deps, ask, rejectDecision(deps, { reason_code: "other", reason: text }));
  }
}

export function sayDecision(decided: Awaited<Outcome>): string {
  if (decided.ok) return decided.value.message;
  return sayRefusal(decided.refusal, { ...deskRefusals, ...commonRefusals }).body.message;
}
