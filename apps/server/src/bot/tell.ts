import { sql } from "kysely";
import { type Clock, DAY_MS, textOf } from "@sesame/kernel";
import { DONE, type JobHandler, type JobOutcome } from "../jobs/outbox.ts";
import { enqueue, type Job } from "../jobs/outbox.store.ts";
import type { Db } from "../postgres/database.ts";
import type { BotGateway, BotName } from "./gateway.ts";
import { type BotMessage, messageArguments } from "./message.ts";
import { setReachable, telegramIdOf } from "../people/people.ts";
import type { SendPriority } from "./pacer.ts";

export const TELL_TOPIC = "bot.tell";

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

/** A message that cannot be said waits this long for the person to open the chat, then is dropped. */
export const WAIT_FOR_PERSON_MS = 7 * DAY_MS;

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

/** Takes away what the bots have still to say to a person. */
export async function eraseTellings(tx: Db, personId: bigint): Promise<void> {
  await sql`DELETE FROM outbox WHERE topic = 'bot.tell' AND ref = ${personId}`.execute(tx);
}
