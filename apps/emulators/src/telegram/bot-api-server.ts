import { setTimeout } from "node:timers/promises";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { PaymentCall, PaymentFault, TelegramFault, TelegramFaultRule } from "../wire.ts";
import { ApiError, type Bot, type Telegram } from "./state.ts";
import type { Call } from "./call.ts";
import { METHODS } from "./methods.ts";
import { startPolling } from "./updates.ts";

export type BotApi = ReturnType<typeof startBotApi>;

/** One request of a bot and the answer it got; `null` when the connection broke first. */
export type Exchange = {
  bot: Bot;
  /** As asked, any case. */
  method: string;
  params: Readonly<Record<string, unknown>>;
  /** In a form every parameter is text. */
  encoding: "json" | "form";
  answer: Envelope | null;
};

type Envelope =
  | { ok: true; result: unknown }
  | { ok: false; error_code: number; description: string; parameters?: ApiError["parameters"] };

type Served = Pick<Call, "bot" | "raw" | "signal"> & {
  method: string;
  encoding: Exchange["encoding"];
};

const RUNS = new Map(Object.entries(METHODS).map(([name, run]) => [name.toLowerCase(), run]));

/** The Bot API over HTTP, with the faults that were ordered. */
export function startBotApi(emulated: Telegram, faults: TelegramFaults) {
  const listeners = new Set<(exchange: Exchange) => void>();
  const polling = startPolling(emulated.clock);
  const stopListening = emulated.updates.onUpdate((bot) => polling.wake(bot));
  const report = (served: Served, answer: Envelope | null) => {
    const { bot, method, raw: params, encoding } = served;
    for (const listener of listeners) {
      // A copy: what was answered must not change when the message is edited later.
      listener({ bot, method, params, encoding, answer: structuredClone(answer) });
    }
    return answer;
  };
  const answerTo = async (served: Served): Promise<Envelope> => {
    const run = RUNS.get(served.method.toLowerCase());
    if (run === undefined) return failure(new ApiError(404, "Not Found: method not found"));
    try {
      return { ok: true, result: await run({ ...served, emulated, polling }) };
    } catch (error) {
      if (error instanceof ApiError) return failure(error);
      throw error;
    }
  };
  const perform = async (served: Served): Promise<Envelope> => {
    const answer = await answerTo(served);
    report(served, answer);
    return answer;
  };
  const serveFault = async (reply: FastifyReply, served: Served, fault: TelegramFault) => {
    switch (fault.kind) {
      case "slow":
        // When the client hangs up the call is still executed.
        await setTimeout(fault.ms, undefined, { signal: served.signal }).catch(() => {});
        return send(reply, await perform(served));
      case "dropAfter":
        await perform(served);
        return hangUp(reply);
      case "serverErrorAfter":
        await perform(served);
        return send(reply, SERVER_ERROR);
      case "nonsense":
        report(served, null);
        return reply.code(200).type("text/html").send("<html><body>Bad gateway</body></html>");
      case "dropBefore":
        report(served, null);
        return hangUp(reply);
      case "hang":
        report(served, null);
        return reply.hijack();
      default: {
        const answer = faultAnswer(fault);
        report(served, answer);
        return send(reply, answer);
      }
    }
  };
  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    const { token, method } = request.params as { token: string; method: string };
    const bot = emulated.state.bots.find((each) => each.token === token);
    if (bot === undefined) {
      const known = /^\d+:[\w-]+$/.test(token);
      const why = known ? "Unauthorized" : "Unauthorized: invalid token specified";
      return send(reply, failure(new ApiError(401, why)));
    }
    const served = { bot, method, ...readBody(request), signal: hangUpSignal(reply) };
    const fault = starFault(emulated, method) ?? faults.strike(method.toLowerCase());
    if (fault !== null) return serveFault(reply, served, fault);
    return send(reply, await perform(served));
  };
  return {
    register(app: FastifyInstance) {
      app.route({ method: ["GET", "POST"], url: "/bot:token/:method", handler: serve });
    },
    onExchange(listener: (exchange: Exchange) => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onUpdate: emulated.updates.onUpdate,
    close() {
      stopListening();
      polling.close();
    },
  };
}

function failure(error: ApiError): Envelope {
  const { code, message, parameters } = error;
  return { ok: false, error_code: code, description: message, ...(parameters && { parameters }) };
}

const SERVER_ERROR = failure(new ApiError(500, "Internal Server Error: restart"));

type AnsweringFault = Extract<TelegramFault, { kind: "tooMany" | "serverError" | "refusal" }>;

function faultAnswer(fault: AnsweringFault): Envelope {
  if (fault.kind === "serverError") return SERVER_ERROR;
  if (fault.kind === "refusal") return failure(new ApiError(fault.code, fault.description));
  const retry_after = fault.retryAfterSeconds;
  return failure(
    new ApiError(429, `Too Many Requests: retry after ${retry_after}`, { retry_after }),
  );
}

function send(reply: FastifyReply, answer: Envelope): FastifyReply {
  return reply
    .code(answer.ok ? 200 : answer.error_code)
    .type("application/json")
    .send(JSON.stringify(answer));
}

function hangUp(reply: FastifyReply): FastifyReply {
  reply.hijack();
  reply.raw.destroy();
  return reply;
}

function hangUpSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once("close", () => {
    if (!reply.raw.writableEnded) gone.abort();
  });
  return gone.signal;
}

function readBody(request: FastifyRequest) {
  const raw = { ...(request.query as object), ...(request.body as object | null) };
  const isJson = request.headers["content-type"]?.includes("json") === true;
  return { raw, encoding: isJson ? ("json" as const) : ("form" as const) };
}

/** Faults to come, by method: how Telegram is made to fail on purpose. */
export type TelegramFaults = ReturnType<typeof telegramFaults>;

export function telegramFaults() {
  const faults = {
    rules: [] as TelegramFaultRule[],
    add(rule: TelegramFaultRule) {
      faults.rules.push({ ...rule });
    },
    clear() {
      faults.rules = [];
    },
    /** The fault that hits this call, if any; counts it. */
    strike(method: string): TelegramFault | null {
      const rule = faults.rules.find((each) => hits(each, method));
      if (rule === undefined) return null;
      if (rule.times !== null) rule.times -= 1;
      faults.rules = faults.rules.filter(({ times }) => times === null || times > 0);
      return rule.fault;
    },
  };
  return faults;
}

function hits(rule: TelegramFaultRule, method: string): boolean {
  const named = rule.method.toLowerCase();
  // A poll that fails looks like a dead bot: only by its name.
  return named === "*" ? method !== "getupdates" : named === method;
}

/** Which of a provider's calls a method of the Bot API is. */
const STAR_CALLS: Record<string, PaymentCall> = {
  createinvoicelink: "create",
  getstartransactions: "fetch",
  refundstarpayment: "refund",
};

/** A fault of the payments in Stars, in Telegram's words. */
function starFault(emulated: Telegram, method: string): TelegramFault | null {
  const call = STAR_CALLS[method.toLowerCase()];
  const kind = call && emulated.stars.faults.take(call)?.kind;
  if (call === undefined || kind === undefined) return null;
  if (kind === "not-found" && call === "refund")
    return refusal(400, "Bad Request: CHARGE_NOT_FOUND");
  return kind === "refuse" ? refusal(400, `Bad Request: ${REFUSED[call]}`) : STAR_FAULTS[kind];
}

const refusal = (code: number, description: string): TelegramFault => ({
  kind: "refusal",
  code,
  description,
});

const STAR_FAULTS: Record<Exclude<PaymentFault, "refuse">, TelegramFault> = {
  "timeout-before": { kind: "dropBefore" },
  "timeout-after": { kind: "dropAfter" },
  "500": { kind: "serverError" },
  "500-after": { kind: "serverErrorAfter" },
  "429": { kind: "tooMany", retryAfterSeconds: 3 },
  nonsense: { kind: "nonsense" },
  down: refusal(502, "Bad Gateway"),
  keys: refusal(401, "Unauthorized"),
  "not-found": refusal(404, "Not Found"),
};

const REFUSED: Record<PaymentCall, string> = {
  create: "STARS_INVOICE_INVALID",
  fetch: "BOT_ACCESS_FORBIDDEN",
  refund: "BALANCE_TOO_LOW",
};
