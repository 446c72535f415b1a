import { addMs, type Clock, ok, type Result, refuse } from "@sesame/kernel";
import { Api } from "grammy";
import type { ApiMethods, Opts, UserFromGetMe } from "grammy/types";
import { createPacer, type SendPriority } from "./pacer.ts";
import {
  floodWaitMs,
  heldOutage,
  outageOf,
  refusalOf,
  type TelegramRefusal,
} from "./telegram-errors.ts";

export type BotName = "seller" | "buyer";

export type Method = Exclude<keyof ApiMethods, "getMe">;

export type CallOptions = {
  readonly priority?: SendPriority;
  /** One call may need longer than the rest: the long poll. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
};

/**
 * A bot's way to Telegram. A refusal is a value; no answer, a flood and a refused token are thrown
 * as an Outage. Nothing is tried twice here: who asked decides.
 */
export type BotGateway = {
  readonly bot: BotName;
  call<M extends Method>(
    method: M,
    args: Opts<M>,
    options?: CallOptions,
  ): Promise<Result<ReturnType<ApiMethods[M]>, TelegramRefusal>>;
  me(): Promise<Result<UserFromGetMe, TelegramRefusal>>;
};

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

export function createGateway(options: GatewayOptions): BotGateway {
  const { raw } = new Api(options.token, { apiRoot: options.apiRoot });
  const pacer = createPacer(options.messageSpacingMs);
  const floods = createFloodWatch(options.clock);
  let tokenKnown = false;

  async function attempt<T>(
    lane: string,
    call: CallOptions,
    use: (signal: AbortSignal) => Promise<T>,
  ): Promise<Result<T, TelegramRefusal>> {
    floods.refuseHeld(lane);
    if (lane === SENDING) await pacer.turn(call.priority ?? 1);
    const timeout = AbortSignal.timeout(call.timeoutMs ?? TIMEOUT_MS);
    const signals = [options.end, timeout, ...(call.signal ? [call.signal] : [])];
    const signal = AbortSignal.any(signals);
    try {
      const answer = await use(signal);
      tokenKnown = true;
      return ok(answer);
    } catch (error) {
      floods.hear(lane, error);
      const refusal = refusalOf(error, tokenKnown);
      if (refusal) return refuse(refusal);
      throw outageOf(error);
    }
  }

  return {
    bot: options.bot,
    call<M extends Method>(method: M, args: Opts<M>, call: CallOptions = {}) {
      // `raw` answers every name of ApiMethods but `getMe` with a function of this shape.
      const send = raw[method] as unknown as (
        args: Opts<M>,
        signal: AbortSignal,
      ) => Promise<ReturnType<ApiMethods[M]>>;
      return attempt(laneOf(method), call, (signal) => send(args, signal));
    },
    me() {
      const ask = raw.getMe as unknown as (signal: AbortSignal) => Promise<UserFromGetMe>;
      return attempt("getMe", {}, (signal) => ask(signal));
    },
  };
}

/** Messages share one limit; each other method has its own. */
function laneOf(method: Method): string {
  return method.startsWith("send") || method.startsWith("edit") ? SENDING : method;
}

/** Remembers until when Telegram asked us to leave a lane alone (429). */
function createFloodWatch(clock: Clock) {
  const held = new Map<string, { readonly until: Date; readonly waitMs: number }>();
  return {
    refuseHeld(lane: string): void {
      const hold = held.get(lane);
      if (!hold) return;
      const leftMs = hold.until.getTime() - clock.now().getTime();
      // More than was asked: the clock has been set back since.
      if (leftMs > 0 && leftMs <= hold.waitMs) throw heldOutage(lane, leftMs);
      held.delete(lane);
    },
    hear(lane: string, error: unknown): void {
      const waitMs = floodWaitMs(error);
      if (waitMs !== null) held.set(lane, { until: addMs(clock.now(), waitMs), waitMs });
    },
  };
}
