import { timingSafeEqual } from "node:crypto";
import { type Clock, Outage } from "@sesame/kernel";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Update } from "grammy/types";
import { z } from "zod";
import { answerCommon } from "../http/answers.ts";
import { addressKey } from "../http/client-address.ts";
import { createMinuteCounter } from "../http/minute-counter.ts";
import type { HttpServer } from "../http/server.ts";
import { REFUSED_WEBHOOKS_A_MINUTE } from "../http/webhook-guard.ts";
import { type Db, isUnreachable } from "../postgres/database.ts";
import type { BotName } from "./gateway.ts";
import { isWanted, storeUnreadableUpdate, storeUpdates } from "./updates.store.ts";

export type WebhookOptions = {
  readonly db: Db;
  readonly clock: Clock;
  readonly secret: string;
  readonly bots: readonly BotName[];
};

export function webhookPath(bot: BotName): string {
  return `/webhooks/telegram/${bot}`;
}

const HEADER = "x-telegram-bot-api-secret-token";

/** Telegram's updates carry whole messages: more than a provider's webhook (WIRE §4). */
const UPDATE_LIMIT_BYTES = 256 * 1024;

const id = z.int();
const text = z.string();
/** Of a payment: an index holds it. */
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

/** What the handlers read of an update. */
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
 * Telegram's webhooks: checked by their header before the body is received, stored, answered;
 * handled afterwards by the update desk. What cannot be read is stored as such and answered 200:
 * Telegram sends again what is refused, and holds back all that came after it.
 */
export function registerTelegramWebhooks(http: HttpServer, options: WebhookOptions): void {
  const secret = Buffer.from(options.secret);
  const refused = createMinuteCounter(options.clock);
  const checkSecret = async (request: FastifyRequest, reply: FastifyReply) => {
    const given = Buffer.from(String(request.headers[HEADER] ?? ""));
    if (given.length === secret.length && timingSafeEqual(given, secret)) return undefined;
    if (refused.count(addressKey(request.ip)) <= REFUSED_WEBHOOKS_A_MINUTE) {
      return answerCommon(reply, { kind: "identity.notice-refused" });
    }
    const retryAfterSeconds = refused.retryAfterSeconds();
    return answerCommon(reply, { kind: "request.too-many", retryAfterSeconds });
  };
  for (const bot of options.bots) {
    http.post(
      webhookPath(bot),
      {
        summary: `Mise à jour de Telegram pour le bot des ${bot === "seller" ? "vendeurs" : "acheteurs"}`,
        config: { access: "notice", rateLimit: false, ownLimit: REFUSED_WEBHOOKS_A_MINUTE },
        schema: { response: { 200: z.object({}) } },
        bodyLimit: UPDATE_LIMIT_BYTES,
        onRequest: checkSecret,
      },
      async ({ rawBody }) => {
        await store(options, bot, rawBody ?? Buffer.alloc(0));
        return {};
      },
    );
  }
}

async function store({ db, clock }: WebhookOptions, bot: BotName, body: Buffer): Promise<void> {
  const now = clock.now();
  const update = readUpdate(body);
  if (update === "unwanted") return;
  try {
    if (update) return await storeUpdates(db, bot, { updates: [update], now });
  } catch (error) {
    // Not the database's absence: words or a depth that it does not store.
    if (error instanceof Outage || isUnreachable(error)) throw error;
  }
  await storeUnreadableUpdate(db, bot, { body, now });
}

function readUpdate(body: Buffer): Update | "unwanted" | null {
  try {
    const said: Update = JSON.parse(body.toString("utf8"));
    // Before its shape is judged: the words of a group are not kept as unreadable ones either.
    if (!isWanted(said)) return "unwanted";
    const parsed = anUpdate.safeParse(said);
    // What the handlers read has its shape; Telegram's secret vouches for the rest.
    return parsed.success ? (parsed.data as unknown as Update) : null;
  } catch {
    return null;
  }
}
