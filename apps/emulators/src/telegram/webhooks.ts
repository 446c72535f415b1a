import { ApiError, badRequest } from "./api-error.ts";
import { DEFAULT_UPDATE_TYPES } from "./bot-api.ts";
import { type Call, text } from "./call.ts";
import { isLocalAddress } from "./sending.ts";
import { readAllowedUpdates } from "./polling.ts";
import type { Bot, QueuedUpdate, Webhook } from "./state.ts";
import type { EmulatedTelegram } from "./emulated-telegram.ts";
import { dropExpired } from "./updates.ts";

/** Sends queued updates to webhooks (telegram.md §3.2), each bot's in their order. */
export type WebhookSender = {
  /** Sends what may be sent now. */
  pump(bot: Bot): void;
  close(): void;
};

const PORTS = ["", "443", "80", "88", "8443"];
const ANSWER_TIMEOUT_MS = 60_000;
const LONGEST_REST_MS = 60_000;

export function startWebhooks(emulated: EmulatedTelegram): WebhookSender {
  const busy = new Set<Bot>();
  /** How long each bot's last pause was, and until when it lasts. */
  const rests = new Map<Bot, { ms: number; untilMs: number }>();
  const stop = new AbortController();
  const nowMs = () => emulated.clock.now().getTime();

  const pump = (bot: Bot) => {
    if (busy.has(bot)) return;
    busy.add(bot);
    void sendAll(bot).finally(() => {
      busy.delete(bot);
      const waits = bot.webhook !== null && bot.queue.length > 0 && !rests.has(bot);
      if (waits && !stop.signal.aborted) pump(bot);
    });
  };
  const sendAll = async (bot: Bot) => {
    dropExpired(bot, nowMs());
    for (let next = bot.queue[0]; next && bot.webhook; next = bot.queue[0]) {
      const rest = rests.get(bot);
      if (stop.signal.aborted || (rest?.untilMs ?? 0) > nowMs()) return;
      const wrong = await send(bot.webhook, next, stop.signal);
      if (stop.signal.aborted || bot.webhook === null) return;
      if (wrong === null) {
        bot.queue = bot.queue.filter((each) => each !== next);
        rests.delete(bot);
      } else {
        Object.assign(bot.webhook, { lastErrorAtMs: nowMs(), lastErrorMessage: wrong });
        // Again at once, then after 2, 4, 8 … s.
        const ms = rest === undefined ? 0 : Math.min(LONGEST_REST_MS, Math.max(2_000, rest.ms * 2));
        rests.set(bot, { ms, untilMs: nowMs() + ms });
        if (ms > 0) emulated.scheduler.at(nowMs() + ms, () => pump(bot));
      }
      emulated.changed();
    }
  };
  return { pump, close: () => stop.abort() };
}

/** Null when it was taken, else what went wrong. */
async function send(
  webhook: Webhook,
  { update }: QueuedUpdate,
  stop: AbortSignal,
): Promise<string | null> {
  try {
    const answer = await fetch(webhook.url, {
      method: "POST",
      redirect: "manual",
      signal: AbortSignal.any([stop, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]),
      headers: {
        "content-type": "application/json",
        ...(webhook.secretToken && { "x-telegram-bot-api-secret-token": webhook.secretToken }),
      },
      body: JSON.stringify(update),
    });
    await answer.arrayBuffer();
    if (answer.ok) return null;
    return `Wrong response from the webhook: ${answer.status} ${answer.statusText}`.trim();
  } catch (error) {
    const timedOut = error instanceof DOMException && error.name === "TimeoutError";
    return timedOut ? "Read timeout expired" : "Connection refused";
  }
}

/** The webhook that a call sets, by the real rules; more than one a second is too many. */
export function readWebhook(call: Call): Webhook {
  const { emulated, bot } = call;
  const setAtMs = emulated.clock.now().getTime();
  const sinceMs = setAtMs - (bot.webhook?.setAtMs ?? Number.NEGATIVE_INFINITY);
  if (sinceMs >= 0 && sinceMs < 1_000) {
    throw new ApiError(429, "Too Many Requests: retry after 1", { retry_after: 1 });
  }
  const address = text(call, "url");
  const bad = (reason: string) => badRequest(`bad webhook: ${reason}`);
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null) throw bad("invalid URL specified");
  const local = isLocalAddress(url.hostname);
  if (!local || !emulated.settings.allowLocalAddresses) {
    if (url.protocol !== "https:") throw bad("An HTTPS URL must be provided for webhook");
    if (!PORTS.includes(url.port)) {
      throw bad("Webhook can be set up only on ports 80, 88, 443 or 8443");
    }
    if (local) throw bad("IP address 127.0.0.1 is reserved");
  }
  const secret = text(call, "secret_token");
  if (secret.length > 256) throw badRequest("secret token is too long");
  if (!/^[\w-]*$/.test(secret)) throw badRequest("secret token contains unallowed characters");
  readAllowedUpdates(call);
  return {
    url: address,
    secretToken: secret || null,
    setAtMs,
    lastErrorAtMs: null,
    lastErrorMessage: null,
  };
}

export function webhookInfo({ webhook, queue, allowedUpdates }: Bot) {
  const isDefault =
    allowedUpdates.length === DEFAULT_UPDATE_TYPES.length &&
    DEFAULT_UPDATE_TYPES.every((type) => allowedUpdates.includes(type));
  return {
    url: webhook?.url ?? "",
    has_custom_certificate: false,
    pending_update_count: queue.length,
    ...(!isDefault && { allowed_updates: allowedUpdates }),
    ...(webhook && { max_connections: 40 }),
    ...(webhook?.lastErrorAtMs && {
      last_error_date: Math.floor(webhook.lastErrorAtMs / 1000),
      last_error_message: webhook.lastErrorMessage ?? "",
    }),
  };
}
