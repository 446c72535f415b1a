import { addMs, type Clock, ok, type Result, refuse, Outage } from "@sesame/kernel";
import { Api, GrammyError } from "grammy";
import type { ApiMethods, Opts, UserFromGetMe } from "grammy/types";

export type BotName = "seller" | "buyer";

export type Method = Exclude<keyof ApiMethods, "getMe">;

export type CallOptions = {
  readonly priority?: SendPriority;
  /** For a call that needs longer than the others: the long poll. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
};

export type BotGateway = ReturnType<typeof createGateway>;

export type GatewayOptions = {
  readonly bot: BotName;
  readonly token: string;
  readonly apiRoot: string;
  readonly clock: Clock;
  readonly messageSpacingMs: number;
  /** Ends every call when the server stops. */
  readonly end: AbortSignal;
};

const TIMEOUT_MS = 10_000;
const SENDING = "sending";

/**
 * The Telegram API of one bot. A refusal is a value; no answer, a flood limit and a refused token
 * throw an Outage. Nothing is retried here: the caller decides.
 */
export function createGateway(options: GatewayOptions) {
  const { raw } = new Api(options.token, { apiRoot: options.apiRoot });
  const pacer = createPacer(options.messageSpacingMs);
  const floods = createFloodWatch(options.clock);
  let tokenKnown = false;

  async function attempt<T>(
    limitKey: string,
    call: CallOptions,
    use: (signal: AbortSignal) => Promise<T>,
  ): Promise<Result<T, TelegramRefusal>> {
    floods.refuseHeld(limitKey);
    if (limitKey === SENDING) await pacer.turn(call.priority ?? 1);
    const timeout = AbortSignal.timeout(call.timeoutMs ?? TIMEOUT_MS);
    const signals = [options.end, timeout, ...(call.signal ? [call.signal] : [])];
    const signal = AbortSignal.any(signals);
    try {
      const answer = await use(signal);
      tokenKnown = true;
      return ok(answer);
    } catch (error) {
      floods.note(limitKey, error);
      const refusal = refusalOf(error, tokenKnown);
      if (refusal) return refuse(refusal);
      throw outageOf(error);
    }
  }

  function call<M extends Method>(method: M, args: Opts<M>, call: CallOptions = {}) {
    // `raw` has a function of this form for every name of ApiMethods except `getMe`.
    const send = raw[method] as unknown as (
      args: Opts<M>,
      signal: AbortSignal,
    ) => Promise<ReturnType<ApiMethods[M]>>;
    return attempt(limitKeyOf(method), call, (signal) => send(args, signal));
  }

  return {
    bot: options.bot,
    call,
    /** The status of a person in a chat now. */
    askMember: (chatId: bigint, telegramId: bigint) =>
      call("getChatMember", { chat_id: Number(chatId), user_id: Number(telegramId) }),
    me() {
      const ask = raw.getMe as unknown as (signal: AbortSignal) => Promise<UserFromGetMe>;
      return attempt("getMe", {}, (signal) => ask(signal));
    },
  };
}

/** Messages share one limit; each other method has its own. */
function limitKeyOf(method: Method): string {
  return method.startsWith("send") || method.startsWith("edit") ? SENDING : method;
}

/** Stores until when Telegram forbids calls under a rate-limit key (429). */
function createFloodWatch(clock: Clock) {
  const held = new Map<string, { readonly until: Date; readonly waitMs: number }>();
  return {
    refuseHeld(limitKey: string): void {
      const hold = held.get(limitKey);
      if (!hold) return;
      const leftMs = hold.until.getTime() - clock.now().getTime();
      // Longer than was required: the clock has been set back since.
      if (leftMs > 0 && leftMs <= hold.waitMs) {
        const words = `telegram asked to wait before ${limitKey}`;
        throw new Outage(words, { party: PARTY, retryable: true, retryAfterMs: leftMs });
      }
      held.delete(limitKey);
    },
    note(limitKey: string, error: unknown): void {
      const waitMs = floodWaitMs(error);
      if (waitMs !== null) held.set(limitKey, { until: addMs(clock.now(), waitMs), waitMs });
    },
  };
}

/**
 * Telegram's refusals, by our reaction. The descriptions are those of its server;
 * they are matched only here.
 */
export type TelegramRefusal =
  /** The bot lacks a right in the chat. */
  | { readonly kind: "rights-missing"; readonly said: string }
  /** The bot is no longer in the chat, or the chat no longer exists. */
  | { readonly kind: "chat-gone"; readonly said: string }
  /** A basic group became a supergroup: its id is another one now. */
  | { readonly kind: "migrated"; readonly said: string; readonly to: bigint }
  /** The person never started the bot, so it may not write there. */
  | { readonly kind: "user-unreachable"; readonly said: string }
  | { readonly kind: "blocked"; readonly said: string }
  /** No such account, or none known to the bot: for a membership, "not in the chat". */
  | { readonly kind: "user-unknown"; readonly said: string }
  | { readonly kind: "already-participant"; readonly said: string }
  /** The person has no pending join request. */
  | { readonly kind: "request-missing"; readonly said: string }
  /** The person is in as many chats as Telegram allows. */
  | { readonly kind: "too-many-chats"; readonly said: string }
  /** Owners and administrators cannot be removed by a bot. */
  | { readonly kind: "is-admin"; readonly said: string }
  /** A call for supergroups and channels, about a basic group. */
  | { readonly kind: "basic-group"; readonly said: string }
  /** Nothing to do: the message has this content already, or the press is too old for an answer. */
  | { readonly kind: "nothing-to-do"; readonly said: string }
  | { readonly kind: "unknown"; readonly said: string };

export type TelegramRefusalKind = TelegramRefusal["kind"];

const PARTY = "telegram";

type Pattern = readonly [TelegramRefusalKind, number, RegExp];

/** The first match counts. */
const PATTERNS: readonly Pattern[] = [
  ["blocked", 403, /bot was blocked by the user/i],
  ["user-unknown", 403, /user is deactivated/i],
  ["user-unreachable", 403, /can't initiate conversation|can't send messages to the bot/i],
  ["user-unreachable", 403, /PEER_ID_INVALID/i],
  ["chat-gone", 403, /bot was kicked|is not a member|chat was deleted/i],
  ["rights-missing", 400, /not enough rights|CHAT_ADMIN_REQUIRED|CHAT_WRITE_FORBIDDEN/i],
  ["rights-missing", 400, /member list is inaccessible|need administrator rights/i],
  ["rights-missing", 403, /not enough rights|CHAT_ADMIN_REQUIRED/i],
  ["already-participant", 400, /USER_ALREADY_PARTICIPANT/i],
  ["request-missing", 400, /HIDE_REQUESTER_MISSING/i],
  ["too-many-chats", 400, /CHANNELS_TOO_MUCH/i],
  ["is-admin", 400, /user is an administrator of the chat|USER_ADMIN_INVALID/i],
  ["is-admin", 400, /can't remove chat owner|can't restrict self/i],
  ["basic-group", 400, /available for supergroup and channel chats only/i],
  ["basic-group", 400, /available only for supergroups/i],
  ["user-unknown", 400, /(USER_ID|PARTICIPANT_ID)_INVALID|USER_NOT_PARTICIPANT/i],
  ["user-unknown", 400, /user not found|member not found|INPUT_USER_DEACTIVATED/i],
  ["user-unreachable", 400, /PEER_ID_INVALID|private chat not found/i],
  ["chat-gone", 400, /chat not found|CHANNEL_PRIVATE|group is deactivated|chat_id is empty/i],
  ["nothing-to-do", 400, /message is not modified|message to edit not found/i],
  ["nothing-to-do", 400, /query is too old|query ID is invalid|INVITE_HASH_EXPIRED/i],
];

/**
 * A refusal by Telegram as a value; null for an outage. `tokenKnown`: this server has accepted the
 * token before.
 */
export function refusalOf(error: unknown, tokenKnown = false): TelegramRefusal | null {
  if (!(error instanceof GrammyError)) return null;
  const { error_code: code, description: said, parameters } = error;
  if (parameters.migrate_to_chat_id !== undefined) {
    return { kind: "migrated", said, to: BigInt(parameters.migrate_to_chat_id) };
  }
  // A wrong token, a second poller, a flood limit and a server error give no information about the
  // person or the chat.
  if (code === 401 || code === 409 || code === 429 || code >= 500) return null;
  // A malformed token is a 404 too; for an unknown method the refusal is final.
  if (code === 404 && !tokenKnown && !/method not found/i.test(said)) return null;
  for (const [kind, patternCode, pattern] of PATTERNS) {
    if (code === patternCode && pattern.test(said) && kind !== "migrated") return { kind, said };
  }
  return { kind: "unknown", said };
}

/** Telegram did not answer, required a wait, or refuses the bot itself. */
export function outageOf(error: unknown): Outage {
  if (error instanceof Outage) return error;
  if (!(error instanceof GrammyError)) {
    return new Outage("telegram did not answer", { party: PARTY, retryable: true, cause: error });
  }
  const seconds = error.parameters.retry_after;
  return new Outage(`telegram: ${error.error_code} ${error.description}`, {
    party: PARTY,
    retryable: true,
    ...(seconds === undefined ? {} : { retryAfterMs: seconds * 1_000 }),
    cause: error,
  });
}

/** The wait that Telegram required; null when it did not. */
export function floodWaitMs(error: unknown): number | null {
  if (!(error instanceof GrammyError) || error.error_code !== 429) return null;
  return (error.parameters.retry_after ?? 1) * 1_000;
}

/** 0 access, 1 messages about money and access, 2 reminders, 3 the rest. */
export type SendPriority = 0 | 1 | 2 | 3;

/**
 * Telegram accepts about 30 messages a second from a bot. Evenly spaced at 28.6 it never answered
 * 429 (QUALITY P9); a burst, even a short one, gets 429.
 */
export const MESSAGE_SPACING_MS = 35;

/** Sends messages one by one, the most urgent first. By the machine's clock: it is about the network. */
export function createPacer(spacingMs: number) {
  const waiting: Array<{ priority: SendPriority; go: () => void }> = [];
  let nextAt = 0;
  let timer: NodeJS.Timeout | null = null;

  function release(): void {
    timer = null;
    const first = waiting.shift();
    if (!first) return;
    nextAt = performance.now() + spacingMs;
    first.go();
    plan();
  }

  function plan(): void {
    if (timer || waiting.length === 0) return;
    const inMs = nextAt - performance.now();
    if (inMs <= 0) release();
    else timer = setTimeout(release, inMs);
  }

  return {
    /** Resolves when it is this message's turn. */
    turn(priority: SendPriority): Promise<void> {
      return new Promise((go) => {
        const later = waiting.findIndex((other) => other.priority > priority);
        waiting.splice(later === -1 ? waiting.length : later, 0, { priority, go });
        plan();
      });
    },
  };
}
