import { assert, textOf } from "@sesame/kernel";
import { messageArguments } from "../../bot/message.ts";
import { setReachable, telegramIdOf } from "../../bot/people.store.ts";
import { DONE, type JobHandler, type JobOutcome } from "../../jobs/outbox.ts";
import { enqueue, type Job } from "../../jobs/outbox.store.ts";
import { DESK_BOT, hashOf, messageAbout, type Reader, seeRequests } from "./bot-messages.ts";
import {
  type Agent,
  agentsInTouch,
  findMessage,
  isTold,
  lockTelling,
  messagesAbout,
  noteMessage,
  type SentMessage,
  takeUntold,
} from "./bot-messages.store.ts";
import { TELL_AGENTS } from "./decide.ts";
import type { DeskBotDeps } from "./deps.ts";

/** The first request is told at once; those of the next seconds together. */
const GROUPING_MS = 15_000;
/** One message speaks of no more; of those beyond it says how many there are. */
const TOLD_TOGETHER = 20;

/** Says requests to one agent. */
const TELL_AGENT = "desk.tell-agent";

export function deskJobs(deps: DeskBotDeps): JobHandler[] {
  return [
    {
      topic: TELL_AGENTS,
      batch: 50,
      concurrency: 1,
      maxAttempts: 10,
      run: (job) => tellAgents(deps, job),
    },
    {
      topic: TELL_AGENT,
      batch: 20,
      concurrency: 5,
      maxAttempts: 10,
      run: (job) => tellAgent(deps, job),
    },
  ];
}

/** Brings what agents were told of a request up to date; tells them of it when it is new. */
async function tellAgents(deps: DeskBotDeps, job: Job): Promise<JobOutcome> {
  for (const message of await messagesAbout(deps.db, job.ref)) await refresh(deps, message);
  if (await isTold(deps.db, job.ref)) return DONE;
  const now = deps.clock.now();
  return deps.db.transaction().execute(async (tx): Promise<JobOutcome> => {
    const toldAt = await lockTelling(tx);
    const sinceMs = toldAt ? now.getTime() - toldAt.getTime() : GROUPING_MS;
    if (sinceMs < GROUPING_MS) {
      return { kind: "later", afterMs: GROUPING_MS - sinceMs, reason: "told with the next ones" };
    }
    const untold = await takeUntold(tx, now);
    const agents = untold.length === 0 ? [] : await agentsInTouch(tx, staffOf(deps));
    const withdrawals = untold.slice(0, TOLD_TOGETHER).join(",");
    const others = Math.max(0, untold.length - TOLD_TOGETHER);
    const payload = { withdrawals, others };
    await enqueue(
      tx,
      agents.map(({ id }) => ({ topic: TELL_AGENT, ref: id, payload, dueAt: now })),
    );
    return DONE;
  });
}

function staffOf({ staff }: DeskBotDeps) {
  return {
    telegramIds: [...new Set([...staff.agents, ...staff.operators])],
    bot: DESK_BOT,
  } as const;
}

async function tellAgent(deps: DeskBotDeps, job: Job): Promise<JobOutcome> {
  const telegramId = await telegramIdOf(deps.db, job.ref);
  assert(telegramId !== null, "an agent who was in touch is a person");
  const reader = readerOf(deps, { id: job.ref, telegram_id: telegramId });
  // Out of the configuration since.
  if (!reader) return DONE;
  const ids = textOf(job.payload["withdrawals"]).split(",").map(BigInt);
  const seen = await seeRequests(deps, reader, ids);
  const open = seen.filter(({ request }) => request.status === "pending" && !request.own);
  if (open.length === 0) return DONE;
  const told = {
    withdrawalIds: open.map(({ request }) => BigInt(request.id)),
    others: Number(job.payload["others"] ?? 0),
  };
  return say(deps, { id: job.ref, telegram_id: telegramId }, told);
}

/** A new message to an agent about these requests, remembered to be kept up to date. */
export async function say(
  deps: DeskBotDeps,
  agent: Agent,
  told: { withdrawalIds: readonly bigint[]; others: number },
): Promise<JobOutcome> {
  const { withdrawalIds, others } = told;
  const reader = readerOf(deps, agent);
  if (!reader) return DONE;
  const message = messageAbout(deps, await seeRequests(deps, reader, withdrawalIds), others);
  const sent = await deps.telegram
    .gatewayOf(DESK_BOT)
    .call("sendMessage", { chat_id: Number(agent.telegram_id), ...messageArguments(message) });
  if (!sent.ok) return unsaid(deps, agent, sent.refusal);
  const to = { personId: agent.id, messageId: sent.value.message_id };
  await noteMessage(deps.db, to, { withdrawalIds, shown: hashOf(message) });
  // Whoever decided while it was on its way did not know of this message.
  const now = messageAbout(deps, await seeRequests(deps, reader, withdrawalIds), others);
  const noted = hashOf(now).equals(hashOf(message)) ? null : await findMessage(deps.db, to);
  if (noted) await refresh(deps, noted);
  return DONE;
}

const SILENT = new Set(["blocked", "user-unreachable", "user-unknown", "chat-gone"]);

/** Who blocked the bot finds the requests at the desk. */
async function unsaid(
  deps: DeskBotDeps,
  agent: Agent,
  refusal: { kind: string; said: string },
): Promise<JobOutcome> {
  if (!SILENT.has(refusal.kind)) return { kind: "failed", reason: refusal.said };
  const bots = deps.telegram.partsOf(DESK_BOT);
  const now = deps.clock.now();
  await setReachable(deps.db, { bots, personId: agent.id, reachable: false, now });
  return DONE;
}

/** Null: none of the staff any more. */
export function readerOf(
  { staff }: DeskBotDeps,
  person: Agent,
): (Reader & { readonly isAgent: boolean }) | null {
  const isOperator = staff.operators.has(person.telegram_id);
  const isAgent = staff.agents.has(person.telegram_id);
  return isAgent || isOperator ? { personId: person.id, isOperator, isAgent } : null;
}

/** Writes a message again when what it shows has changed. */
export async function refresh(deps: DeskBotDeps, sent: SentMessage): Promise<void> {
  const agent = { id: sent.person_id, telegram_id: sent.telegram_id };
  const reader = readerOf(deps, agent);
  if (!reader) return;
  const message = messageAbout(deps, await seeRequests(deps, reader, sent.withdrawal_ids));
  const shown = hashOf(message);
  if (shown.equals(sent.shown)) return;
  // A no changes nothing: the message was deleted, or the bot is blocked.
  await deps.telegram.gatewayOf(DESK_BOT).call("editMessageText", {
    chat_id: Number(agent.telegram_id),
    message_id: Number(sent.message_id),
    ...messageArguments(message),
  });
  const to = { personId: agent.id, messageId: Number(sent.message_id) };
  await noteMessage(deps.db, to, { withdrawalIds: sent.withdrawal_ids, shown });
}
