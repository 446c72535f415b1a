import { HOUR_MS } from "@sesame/kernel";
import { ApiError, badRequest } from "./api-error.ts";
import { DEFAULT_UPDATE_TYPES } from "./bot-api.ts";
import { type Call, text } from "./call.ts";
import { isLocalAddress } from "./sending.ts";
import { readAllowedUpdates } from "./polling.ts";
import type { Bot, QueuedUpdate, Webhook } from "./state.ts";
import type { Town } from "./town.ts";
import { dropExpired } from "./updates.ts";

/** Sends queued updates to webhooks, with the retry and ordering rules of telegram.md §3.2. */
export type WebhookSender = {
  /** Sends what may be sent now. */
  pump(bot: Bot): void;
  close(): void;
};

const PORTS = ["", "443", "80", "88", "8443"];
const CONNECTIONS = 40;
const ANSWER_TIMEOUT_MS = 60_000;
const CAP_LOW_MS = 60_000;
const RETRY_AFTER_MAX_MS = HOUR_MS;
const GONE_AFTER_MS = 23 * HOUR_MS;

type Trial = { delayMs: number; wakeAtMs: number };
type Answer = { ok: boolean; status: string; gone: boolean; retryAfterMs: number };

export function startWebhooks(town: Town): WebhookSender {
  const inFlight = new Map<number, Set<string>>();
  const trials = new WeakMap<QueuedUpdate, Trial>();
  const stop = new AbortController();

  const pump = (bot: Bot) => {
    const { webhook } = bot;
    if (webhook === null || stop.signal.aborted) return;
    const nowMs = town.clock.now().getTime();
    dropExpired(bot, nowMs);
    const busy = inFlight.get(bot.id) ?? new Set<string>();
    inFlight.set(bot.id, busy);
    const passed = new Set(busy);
    for (const queued of bot.queue) {
      if (busy.size >= CONNECTIONS) break;
      // Only the first of each queue may go: a failing update blocks its own queue alone.
      if (passed.has(queued.queueId)) continue;
      passed.add(queued.queueId);
      if ((trials.get(queued)?.wakeAtMs ?? 0) > nowMs) continue;
      busy.add(queued.queueId);
      void deliver(bot, queued).finally(() => {
        busy.delete(queued.queueId);
        pump(bot);
      });
    }
  };
  const deliver = async (bot: Bot, queued: QueuedUpdate) => {
    const answer = bot.webhook && (await send(bot.webhook, queued, stop.signal));
    if (stop.signal.aborted || bot.webhook === null || answer === null) return;
    if (answer.ok) {
      bot.queue = bot.queue.filter((each) => each !== queued);
      bot.webhook.goneSinceMs = null;
      town.changed();
      return;
    }
    const { webhook } = bot;
    const nowMs = town.clock.now().getTime();
    webhook.lastErrorAtMs = nowMs;
    webhook.lastErrorMessage = answer.status;
    webhook.goneSinceMs = answer.gone ? (webhook.goneSinceMs ?? nowMs) : null;
    // 410 for most of a day removes the webhook.
    if (webhook.goneSinceMs !== null && nowMs - webhook.goneSinceMs >= GONE_AFTER_MS) {
      bot.webhook = null;
      return;
    }
    const trial = nextTrial(trials.get(queued), { answer, nowMs, chance: town.chance });
    trials.set(queued, trial);
    if (trial.wakeAtMs > queued.expiresAtMs) {
      bot.queue = bot.queue.filter((each) => each !== queued);
    } else if (trial.wakeAtMs > nowMs) {
      town.scheduler.at(trial.wakeAtMs, () => pump(bot));
    }
    town.changed();
  };
  return { pump, close: () => stop.abort() };
}

/** At once, then after 2, 4, 8 … s, up to a random wait of one to two minutes. */
function nextTrial(
  last: Trial | undefined,
  { answer, nowMs, chance }: { answer: Answer; nowMs: number; chance: Town["chance"] },
): Trial {
  const { delayMs } = last ?? { delayMs: 1_000 };
  if (answer.retryAfterMs > 0) return { delayMs, wakeAtMs: nowMs + answer.retryAfterMs };
  if (last === undefined) return { delayMs, wakeAtMs: nowMs };
  const capMs = Math.floor(CAP_LOW_MS * (1 + (chance.bytes(1)[0] ?? 0) / 255));
  const nextMs = Math.min(capMs, delayMs * 2);
  return { delayMs: nextMs, wakeAtMs: nowMs + nextMs };
}

async function send(webhook: Webhook, queued: QueuedUpdate, stop: AbortSignal): Promise<Answer> {
  try {
    const answer = await fetch(webhook.url, {
      method: "POST",
      redirect: "manual",
      signal: AbortSignal.any([stop, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]),
      headers: {
        "content-type": "application/json",
        ...(webhook.secretToken && { "x-telegram-bot-api-secret-token": webhook.secretToken }),
      },
      body: JSON.stringify(queued.update),
    });
    await answer.arrayBuffer();
    const status = `Wrong response from the webhook: ${answer.status} ${answer.statusText}`;
    const retryAfterS = Number(answer.headers.get("retry-after") ?? 0);
    return {
      ok: answer.ok,
      status: status.trim(),
      gone: answer.status === 410,
      retryAfterMs: retryAfterS > 0 ? Math.min(RETRY_AFTER_MAX_MS, retryAfterS * 1000) : 0,
    };
  } catch (error) {
    const timedOut = error instanceof DOMException && error.name === "TimeoutError";
    const status = timedOut ? "Read timeout expired" : "Connection refused";
    return { ok: false, gone: false, retryAfterMs: 0, status };
  }
}

/** The webhook that a call sets, by the real rules; more than one a second is too many. */
export function readWebhook(call: Call): Webhook {
  const { town, bot } = call;
  const setAtMs = town.clock.now().getTime();
  const sinceMs = setAtMs - (bot.webhook?.setAtMs ?? Number.NEGATIVE_INFINITY);
  if (sinceMs >= 0 && sinceMs < 1_000) {
    throw new ApiError(429, "Too Many Requests: retry after 1", { retry_after: 1 });
  }
  const address = text(call, "url");
  const bad = (reason: string) => badRequest(`bad webhook: ${reason}`);
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null) throw bad("invalid URL specified");
  const local = isLocalAddress(url.hostname);
  if (!local || !town.settings.allowLocalAddresses) {
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
    goneSinceMs: null,
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
    ...(webhook && { max_connections: CONNECTIONS }),
    ...(webhook?.lastErrorAtMs && {
      last_error_date: Math.floor(webhook.lastErrorAtMs / 1000),
      last_error_message: webhook.lastErrorMessage ?? "",
    }),
  };
}
