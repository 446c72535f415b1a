import { sql } from "kysely";
import { type Clock, textOf } from "@sesame/kernel";
import { DONE, type JobHandler, type JobOutcome } from "../jobs/outbox.ts";
import {
  enqueue,
  forgetJobs,
  hastenJobs,
  type Job,
  WAIT_FOR_PERSON_MS,
} from "../jobs/outbox.store.ts";
import type { Db } from "../postgres/database.ts";
import type { BotGateway, BotName } from "./gateway.ts";
import { type BotMessage, messageArguments } from "./message.ts";
import { noteReachable, telegramIdOf } from "../people/people.ts";
import type { SendPriority } from "./pacer.ts";

const TELL_TOPIC = "bot.tell";

export type Telling = {
  readonly bot: BotName;
  readonly personId: bigint;
  readonly message: BotMessage;
  readonly priority?: SendPriority;
};

/** Says something to people, as jobs of the transaction that decided it. */
export async function tell(tx: Db, tellings: readonly Telling[], now: Date): Promise<void> {
  await enqueue(
    tx,
    tellings.map((telling) => ({
      topic: TELL_TOPIC,
      ref: telling.personId,
      payload: { bot: telling.bot, message: JSON.stringify(telling.message) },
      priority: telling.priority ?? 1,
      dueAt: now,
    })),
  );
}

export type TellOptions = {
  readonly db: Db;
  readonly clock: Clock;
  gatewayOf(bot: BotName): BotGateway;
  /** The names under which a bot's chats are kept: both when one bot plays both parts. */
  partsOf(bot: BotName): readonly BotName[];
};

export function createTellJob(options: TellOptions): JobHandler {
  return {
    topic: TELL_TOPIC,
    batch: 30,
    concurrency: 10,
    maxAttempts: 12,
    run: (job) => runTell(options, job),
  };
}

async function runTell(options: TellOptions, job: Job): Promise<JobOutcome> {
  const bot: BotName = job.payload["bot"] === "seller" ? "seller" : "buyer";
  const chatId = await telegramIdOf(options.db, job.ref);
  if (chatId === null) return { kind: "failed", reason: "no such person" };
  const message = JSON.parse(textOf(job.payload["message"])) as BotMessage;
  const sent = await options
    .gatewayOf(bot)
    .call("sendMessage", { chat_id: Number(chatId), ...messageArguments(message) });
  const now = options.clock.now();
  const chat = { bots: options.partsOf(bot), personId: job.ref, now };
  if (sent.ok) {
    await setReachable(options.db, { ...chat, reachable: true });
    return DONE;
  }
  const { kind, said } = sent.refusal;
  const silent = ["blocked", "user-unreachable", "user-unknown", "chat-gone"].includes(kind);
  if (!silent) return { kind: "failed", reason: said };
  await setReachable(options.db, { ...chat, reachable: false });
  if (job.attempts > 1 || kind === "user-unknown") return DONE;
  return { kind: "later", afterMs: WAIT_FOR_PERSON_MS, reason: said };
}

/**
 * Whether the bots may write to a person. When they may again, what could not be said while they
 * could not is said now.
 */
export async function setReachable(
  db: Db,
  chat: { bots: readonly BotName[]; personId: bigint; reachable: boolean; now: Date },
): Promise<void> {
  const { bots, personId, reachable, now } = chat;
  const changed = await noteReachable(db, chat);
  if (!reachable || !changed) return;
  const where = sql`payload->>'bot' = ANY (${[...bots]}::text[])`;
  await hastenJobs(db, { topics: [TELL_TOPIC], about: sql`${personId}`, where, now });
}

/** Takes away what the bots have still to say to a person. */
export const eraseTellings = (tx: Db, personId: bigint) =>
  forgetJobs(tx, TELL_TOPIC, sql`${personId}`);
