import { Outage, DAY_MS } from "@sesame/kernel";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Update } from "grammy/types";
import { z } from "zod";
import type { App } from "../app.ts";
import { answerCommon } from "../http/answers.ts";
import { addressKey, createAttemptCounter } from "../http/callers.ts";
import { type HttpServer, sameText } from "../http/server.ts";
import { REFUSED_WEBHOOKS_A_MINUTE } from "../http/webhook-guard.ts";
import { isUnreachable } from "../postgres/database.ts";
import type { BotName, BotGateway } from "./gateway.ts";
import { isWanted, storeUnreadableUpdate, storeUpdates } from "./updates.store.ts";
import { setTimeout as sleep } from "node:timers/promises";
import type { Loop } from "../jobs/loop.ts";
import { backOffMs } from "../jobs/outbox.ts";

export function webhookPath(bot: BotName): string {
  return `/webhooks/telegram/${bot}`;
}

const HEADER = "x-telegram-bot-api-secret-token";

/** Telegram's updates contain whole messages: more than a provider's webhook (WIRE §4). */
const UPDATE_LIMIT_BYTES = 256 * 1024;

const id = z.int();
const text = z.string();
/** A name that a payment's index contains. */
const name = z.string().max(512);
const user = z.looseObject({
  id,
  is_bot: z.boolean(),
  first_name: text,
  last_name: text.optional(),
  username: text.optional(),
  language_code: text.optional(),
});
const chat = z.looseObject({
  id,
  type: z.enum(["private", "group", "supergroup", "channel"]),
  title: text.optional(),
  username: text.optional(),
});
const member = z.looseObject({
  user,
  status: z.enum(["creator", "administrator", "member", "restricted", "left", "kicked"]),
});
const link = z.looseObject({ invite_link: text, creator: user });
const memberUpdate = z.looseObject({
  chat,
  from: user,
  date: id,
  old_chat_member: member,
  new_chat_member: member,
  invite_link: link.optional(),
});

/** The parts of an update that the handlers read. */
const anUpdate = z.looseObject({
  update_id: id,
  message: z
    .looseObject({
      chat,
      from: user.optional(),
      text: text.optional(),
      sender_chat: chat.optional(),
      new_chat_title: text.optional(),
      migrate_to_chat_id: id.optional(),
      migrate_from_chat_id: id.optional(),
      successful_payment: z
        .looseObject({ currency: text, invoice_payload: name, telegram_payment_charge_id: name })
        .optional(),
      refunded_payment: z.looseObject({ telegram_payment_charge_id: text }).optional(),
    })
    .optional(),
  callback_query: z
    .looseObject({
      id: text,
      from: user,
      data: text.optional(),
      message: z.looseObject({ message_id: id }).optional(),
    })
    .optional(),
  my_chat_member: memberUpdate.optional(),
  chat_member: memberUpdate.optional(),
  chat_join_request: z
    .looseObject({ chat, from: user, user_chat_id: id.optional(), invite_link: link.optional() })
    .optional(),
  pre_checkout_query: z
    .looseObject({ id: text, from: user, currency: text, total_amount: id, invoice_payload: text })
    .optional(),
});

/**
 * Telegram's webhooks: the secret header is checked before the body is received, then the update is
 * stored, answered, and handled later by the update loop. An unreadable one is stored as such and
 * answered 200: Telegram repeats a refused update, and delays all later ones.
 */
export function registerTelegramWebhooks(
  app: App,
  http: HttpServer,
  to: { readonly secret: string; readonly bots: readonly BotName[] },
): void {
  const refused = createAttemptCounter(app.clock, REFUSED_WEBHOOKS_A_MINUTE);
  const checkSecret = async (request: FastifyRequest, reply: FastifyReply) => {
    if (sameText(String(request.headers[HEADER] ?? ""), to.secret)) return undefined;
    const retryAfterSeconds = refused.count(addressKey(request.ip));
    return retryAfterSeconds === null
      ? answerCommon(reply, { kind: "identity.webhook-refused" })
      : answerCommon(reply, { kind: "request.too-many", retryAfterSeconds });
  };
  for (const bot of to.bots) {
    http.post(
      webhookPath(bot),
      {
        summary: `Mise à jour de Telegram pour le bot des ${bot === "seller" ? "vendeurs" : "acheteurs"}`,
        config: { access: "webhook", rateLimit: false, ownLimit: REFUSED_WEBHOOKS_A_MINUTE },
        schema: { response: { 200: z.object({}) } },
        bodyLimit: UPDATE_LIMIT_BYTES,
        onRequest: checkSecret,
      },
      async ({ rawBody }) => {
        await store(app, bot, rawBody ?? Buffer.alloc(0));
        return {};
      },
    );
  }
}

async function store({ db, clock }: App, bot: BotName, body: Buffer): Promise<void> {
  const now = clock.now();
  const update = readUpdate(body);
  if (update === "unwanted") return;
  try {
    if (update) return await storeUpdates(db, bot, { updates: [update], now });
  } catch (error) {
    // Not an outage of the database: text or a nesting that it cannot store.
    if (error instanceof Outage || isUnreachable(error)) throw error;
  }
  await storeUnreadableUpdate(db, bot, body, now);
}

function readUpdate(body: Buffer): Update | "unwanted" | null {
  try {
    const said: Update = JSON.parse(body.toString("utf8"));
    // Before its form is checked: messages of a group are not stored as unreadable ones either.
    if (!isWanted(said)) return "unwanted";
    const parsed = anUpdate.safeParse(said);
    // The form of what the handlers read is checked; the rest is trusted by Telegram's secret.
    return parsed.success ? (parsed.data as unknown as Update) : null;
  } catch {
    return null;
  }
}

/**
 * Named one by one: Telegram omits `chat_member` unless it is requested (WIRE §3). Service messages
 * (migration, write access) come as `message`.
 */
export const ALLOWED_UPDATES = [
  "message",
  "callback_query",
  "my_chat_member",
  "chat_member",
  "chat_join_request",
  "pre_checkout_query",
] as const;

const LONG_POLL_SECONDS = 25;
const GRACE_MS = 10_000;
const LONGEST_WAIT_MS = 15_000;
/** The interval for a server that answers a long poll at once. */
const LOOK_EVERY_MS = 400;
/** After a week without updates Telegram may continue with any number. */
const OFFSET_HOLDS_MS = DAY_MS;

/**
 * Fetches updates by long polling. An update is confirmed to Telegram by the call after the one
 * that stored it, so a kill loses none. `drain` fetches pending ones now, when not started.
 */
export function createPoller(app: App, gateway: BotGateway): Loop {
  const abort = new AbortController();
  const fetcher = createFetcher(app, gateway, abort.signal);
  let running: Promise<void> | null = null;

  async function poll(): Promise<void> {
    let failures = 0;
    while (!abort.signal.aborted) {
      try {
        const askedAt = performance.now();
        const came = await fetcher.fetch(LONG_POLL_SECONDS);
        failures = 0;
        const restMs = LOOK_EVERY_MS - (performance.now() - askedAt);
        if (came === 0 && restMs > 0) await sleep(restMs, undefined, { signal: abort.signal });
      } catch (error) {
        if (abort.signal.aborted) return;
        failures += 1;
        const asked = error instanceof Outage ? error.retryAfterMs : undefined;
        const waitMs = Math.min(LONGEST_WAIT_MS, asked ?? backOffMs(failures));
        app.log.warn({ err: error, bot: gateway.bot, waitMs }, "polling failed");
        fetcher.takeAgain();
        await sleep(waitMs, undefined, { signal: abort.signal }).catch(() => {});
      }
    }
  }

  return {
    name: `poll ${gateway.bot}`,
    everyMs: null,
    start() {
      running ??= poll();
    },
    wake() {},
    async drain() {
      if (running) return;
      while ((await fetcher.fetch(0)) > 0);
    },
    async stop() {
      abort.abort();
      await running;
    },
  };
}

/** One fetch after the other, and the state between them. */
function createFetcher({ db, clock, log }: App, gateway: BotGateway, signal: AbortSignal) {
  let webhookGone = false;
  /**
   * Confirms stored updates, until the offset is too old: an old one could confirm, unread, updates
   * that Telegram numbers from below it.
   */
  let confirm: { readonly offset: number; readonly at: Date; said: boolean } | null = null;
  /** Telegram delays repeated calls with the same offset; 0 and 1 both confirm nothing. */
  let looks = 0;
  const nextOffset = (waits: boolean): number => {
    if (confirm && clock.now().getTime() - confirm.at.getTime() > OFFSET_HOLDS_MS) confirm = null;
    if (!confirm || (confirm.said && !waits)) return waits ? 0 : looks++ % 2;
    confirm.said = true;
    return confirm.offset;
  };
  return {
    /**
     * A second poller, or another webhook, causes a 409: ours must be the one that polls. After an
     * outage unconfirmed updates come again, and are recognised.
     */
    takeAgain(): void {
      webhookGone = false;
      confirm = null;
    },
    /** → the number of updates. Throws an Outage. */
    async fetch(timeoutSeconds: number): Promise<number> {
      // Without a webhook there is nothing to delete; the poll reports any other problem.
      if (!webhookGone) {
        await gateway.call("deleteWebhook", {}, { signal }).catch((error: unknown) => {
          log.warn({ err: error, bot: gateway.bot }, "the webhook was not dropped");
        });
      }
      webhookGone = true;
      const answer = await gateway.call(
        "getUpdates",
        {
          timeout: timeoutSeconds,
          limit: 100,
          allowed_updates: [...ALLOWED_UPDATES],
          offset: nextOffset(timeoutSeconds > 0),
        },
        { timeoutMs: timeoutSeconds * 1_000 + GRACE_MS, signal },
      );
      if (!answer.ok) throw new Outage(answer.refusal.said, { party: "telegram", retryable: true });
      const updates = answer.value;
      await storeUpdates(db, gateway.bot, { updates, now: clock.now() });
      const last = updates.at(-1);
      if (last) confirm = { offset: last.update_id + 1, at: clock.now(), said: false };
      return updates.length;
    },
  };
}
