import { timingSafeEqual } from "node:crypto";
import { assert, type Clock } from "@sesame/kernel";
import type { Update } from "grammy/types";
import { z } from "zod";
import { answerCommon } from "../http/answers.ts";
import type { HttpServer } from "../http/server.ts";
import type { Db } from "../postgres/database.ts";
import type { BotName } from "./gateway.ts";
import { storeUpdates } from "./updates.store.ts";

export type WebhookDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly secret: string;
  readonly bots: readonly BotName[];
};

export function webhookPath(bot: BotName): string {
  return `/webhooks/telegram/${bot}`;
}

const HEADER = "x-telegram-bot-api-secret-token";

const anUpdate = z.looseObject({ update_id: z.number().int() });

/** Telegram's notices: checked, stored, answered; handled afterwards by the update desk. */
export function registerTelegramWebhooks(app: HttpServer, deps: WebhookDeps): void {
  const secret = Buffer.from(deps.secret);
  for (const bot of deps.bots) {
    app.post(
      webhookPath(bot),
      { config: { access: "notice" }, schema: { response: { 200: z.object({}) } } },
      async (request, reply) => {
        const given = Buffer.from(String(request.headers[HEADER] ?? ""));
        if (given.length !== secret.length || !timingSafeEqual(given, secret)) {
          return answerCommon(reply, { kind: "identity.notice-refused" });
        }
        const update = readUpdate(request.body);
        if (!update) return answerCommon(reply, { kind: "request.malformed" });
        await storeUpdates(deps.db, bot, { updates: [update], now: deps.clock.now() });
        return {};
      },
    );
  }
}

function readUpdate(body: unknown): Update | null {
  assert(Buffer.isBuffer(body) || body === undefined, "a notice's body is raw bytes");
  if (body === undefined) return null;
  try {
    const parsed = anUpdate.safeParse(JSON.parse(body.toString("utf8")));
    // Handlers look only at the parts they know; Telegram's secret vouches for the rest.
    return parsed.success ? (parsed.data as unknown as Update) : null;
  } catch {
    return null;
  }
}
