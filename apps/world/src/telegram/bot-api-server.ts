import type { Chance } from "@sesame/kernel";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "./api-error.ts";
import type { Update } from "./bot-api.ts";
import { Arguments, type Upload } from "./call.ts";
import {
  Described,
  type Method,
  type MethodTable,
  chatMethods,
  inviteLinkMethods,
  memberMethods,
  messageMethods,
  preparedMethods,
  profileMethods,
  starMethods,
  updateMethods,
} from "./methods.ts";
import { startPolling } from "./polling.ts";
import type { Bot } from "./state.ts";
import type { Town } from "./town.ts";
import { startWebhooks } from "./webhooks.ts";
import type { PaymentCall, PaymentFault, TelegramFault, TelegramFaultRule } from "../wire.ts";

export type BotApi = {
  register(app: FastifyInstance): void;
  onExchange(listener: (exchange: Exchange) => void): () => void;
  onUpdate(listener: (bot: Bot, update: Update) => void): () => void;
  close(): void;
};

/** The Bot API over HTTP (telegram.md §3.1), with the faults that were ordered. */
export function startBotApi(
  town: Town,
  faults: TelegramFaults,
  slowRepeatedPolls: boolean,
): BotApi {
  const dispatcher = startDispatcher(town, slowRepeatedPolls);
  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    const { token, method } = request.params as { token: string; method: string };
    const bot = town.state.bots.find((each) => each.token === token);
    if (bot === undefined) return send(reply, unauthorized(token));
    const args = await readArguments(request);
    const served = { bot, method, args, signal: hangUpSignal(reply) };
    const fault = starFault(town, method) ?? faults.strike(bot, method.toLowerCase());
    if (fault === null) return send(reply, await dispatcher.perform(served));
    return serveFault(dispatcher, reply, { served, fault });
  };
  return {
    register(app) {
      app.route({ method: ["GET", "POST"], url: "/bot:token/:method", handler: serve });
      dispatcher.resume();
    },
    onExchange: dispatcher.onExchange,
    onUpdate: (listener) => town.updates.onUpdate(listener),
    close: dispatcher.close,
  };
}

/** A fault of the payments in Stars, in Telegram's words. */
function starFault(town: Town, method: string): TelegramFault | null {
  const call = starCall(method);
  const kind = call === null ? null : (town.stars.faults.take(call)?.kind ?? null);
  return call === null || kind === null ? null : asTelegramFault(call, kind);
}

async function serveFault(
  dispatcher: Dispatcher,
  reply: FastifyReply,
  { served, fault }: { served: Served; fault: TelegramFault },
): Promise<FastifyReply> {
  switch (fault.kind) {
    case "slow":
      await wait(fault.ms, served.signal);
      return send(reply, await dispatcher.perform(served));
    case "dropAfter":
      await dispatcher.perform(served);
      return hangUp(reply);
    case "serverErrorAfter":
      await dispatcher.perform(served);
      return send(reply, faultAnswer({ kind: "serverError" }));
    case "nonsense":
      dispatcher.report(served, null);
      return reply.code(200).type("text/html").send("<html><body>Bad gateway</body></html>");
    case "dropBefore":
      dispatcher.report(served, null);
      return hangUp(reply);
    case "hang":
      dispatcher.report(served, null);
      reply.hijack();
      return reply;
    default: {
      const answer = faultAnswer(fault);
      dispatcher.report(served, answer);
      return send(reply, answer);
    }
  }
}

function unauthorized(token: string): Envelope {
  const wellFormed = /^\d+:[\w-]+$/.test(token);
  return failure(
    new ApiError(401, wellFormed ? "Unauthorized" : "Unauthorized: invalid token specified"),
  );
}

type AnsweringFault = Exclude<
  TelegramFault,
  { kind: "slow" | "hang" | "dropBefore" | "dropAfter" | "serverErrorAfter" | "nonsense" }
>;

function faultAnswer(fault: AnsweringFault): Envelope {
  switch (fault.kind) {
    case "tooMany": {
      const seconds = fault.retryAfterSeconds;
      const text = `Too Many Requests: retry after ${seconds}`;
      return failure(new ApiError(429, text, { retry_after: seconds }));
    }
    case "serverError":
      return failure(new ApiError(500, "Internal Server Error: restart"));
    case "refusal":
      return failure(new ApiError(fault.code, fault.description));
  }
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

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      done();
    });
  });
}

async function readArguments(request: FastifyRequest): Promise<Arguments> {
  const params: Record<string, unknown> = { ...(request.query as Record<string, unknown>) };
  const uploads = new Map<string, Upload>();
  if (request.isMultipart()) {
    for await (const part of request.parts()) {
      if (part.type === "field") params[part.fieldname] = part.value;
      else {
        const bytes = await part.toBuffer();
        uploads.set(part.fieldname, { bytes, type: part.mimetype, filename: part.filename });
      }
    }
  } else if (typeof request.body === "object" && request.body !== null) {
    Object.assign(params, request.body);
  }
  const isJson = request.headers["content-type"]?.includes("json") === true;
  return new Arguments(params, { encoding: isJson ? "json" : "form", uploads });
}

/** One request of a bot and the answer it got; `null` when the connection broke first. */
export type Exchange = {
  bot: Bot;
  /** As asked, any case. */
  method: string;
  params: Readonly<Record<string, unknown>>;
  /** In a form every parameter is text. */
  encoding: "json" | "form";
  /** Names of the parts that were uploaded as files. */
  uploads: readonly string[];
  answer: Envelope | null;
};

export type Envelope =
  | { ok: true; result: unknown; description?: string }
  | { ok: false; error_code: number; description: string; parameters?: ApiError["parameters"] };

export type Served = { bot: Bot; method: string; args: Arguments; signal: AbortSignal };

/** Performs the methods of the Bot API, however their call came, and reports each exchange. */
export type Dispatcher = {
  perform(served: Served): Promise<Envelope>;
  /** For what never reached a method: a fault, a broken connection. */
  report(served: Served, answer: Envelope | null): void;
  onExchange(listener: (exchange: Exchange) => void): () => void;
  /** Sends what waits for webhooks set before this start. */
  resume(): void;
  close(): void;
};

export function startDispatcher(town: Town, slowRepeatedPolls: boolean): Dispatcher {
  const listeners = new Set<(exchange: Exchange) => void>();
  const polling = startPolling(town.clock, slowRepeatedPolls);
  const webhooks = startWebhooks(town, (bot, method, params) => {
    const args = new Arguments(params, { encoding: "json", uploads: new Map() });
    void perform({ bot, method, args, signal: new AbortController().signal });
  });
  const methods = methodsByName([
    profileMethods,
    chatMethods,
    memberMethods,
    inviteLinkMethods,
    messageMethods,
    preparedMethods,
    starMethods,
    updateMethods(polling, webhooks),
  ]);
  const stopListening = town.updates.onUpdate((bot) => {
    if (bot.webhook === null) polling.wake(bot);
    else webhooks.pump(bot);
  });
  const report = (served: Served, answer: Envelope | null) => {
    if (listeners.size === 0) return;
    const exchange = exchangeOf(served, answer);
    for (const listener of listeners) listener(exchange);
  };
  const perform = async (served: Served): Promise<Envelope> => {
    const method = methods.get(served.method.toLowerCase());
    const answer = await answerOf(town, method, served);
    report(served, answer);
    return answer;
  };
  return {
    perform,
    report,
    onExchange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    resume() {
      for (const bot of town.state.bots) webhooks.pump(bot);
    },
    close() {
      stopListening();
      polling.close();
      webhooks.close();
    },
  };
}

function exchangeOf(served: Served, answer: Envelope | null): Exchange {
  const { bot, method, args } = served;
  return {
    bot,
    method,
    params: args.raw,
    encoding: args.encoding,
    uploads: [...args.uploads.keys()],
    // A copy: what was answered must not change when the message is edited later.
    answer: structuredClone(answer),
  };
}

function methodsByName(tables: MethodTable[]): Map<string, Method> {
  const all = tables.flatMap((table) => Object.entries(table) as [string, Method][]);
  return new Map(all.map(([name, method]) => [name.toLowerCase(), method]));
}

async function answerOf(town: Town, method: Method | undefined, served: Served): Promise<Envelope> {
  if (method === undefined) return failure(new ApiError(404, "Not Found: method not found"));
  try {
    const result = await method(town, served);
    if (result instanceof Described) {
      return { ok: true, result: result.result, description: result.description };
    }
    return { ok: true, result };
  } catch (error) {
    if (error instanceof ApiError) return failure(error);
    throw error;
  }
}

export function failure(error: ApiError): Envelope {
  return {
    ok: false,
    error_code: error.code,
    description: error.message,
    ...(error.parameters === undefined ? {} : { parameters: error.parameters }),
  };
}

/** Faults to come, by method: how Telegram is made to fail on purpose. */
export type TelegramFaults = {
  rules: TelegramFaultRule[];
  add(rule: TelegramFaultRule): void;
  clear(): void;
  /** The fault that hits this call, if any; counts it. */
  strike(bot: Bot, method: string): TelegramFault | null;
};

export function telegramFaults(chance: Chance): TelegramFaults {
  const faults: TelegramFaults = {
    rules: [],
    add(rule) {
      faults.rules.push({ ...rule });
    },
    clear() {
      faults.rules = [];
    },
    strike(bot, method) {
      const rule = faults.rules.find((each) => hits(each, bot, method));
      if (rule === undefined) return null;
      const share = rule.rate ?? 1;
      if (share < 1 && (chance.bytes(1)[0] ?? 0) / 256 >= share) return null;
      if (rule.times !== null) rule.times -= 1;
      faults.rules = faults.rules.filter((each) => each.times === null || each.times > 0);
      return rule.fault;
    },
  };
  return faults;
}

function hits(rule: TelegramFaultRule, bot: Bot, method: string): boolean {
  if (rule.bot !== undefined && !bot.roles.includes(rule.bot)) return false;
  const named = rule.method.toLowerCase();
  // A poll that fails looks like a dead bot: only by its name.
  return named === "*" ? method !== "getupdates" : named === method;
}

/** Which of a provider's calls a method of the Bot API is. */
const CALLS: Record<string, PaymentCall> = {
  createinvoicelink: "create",
  getstartransactions: "fetch",
  refundstarpayment: "refund",
};

export function starCall(method: string): PaymentCall | null {
  return CALLS[method.toLowerCase()] ?? null;
}

/** A provider's fault in Telegram's words. */
export function asTelegramFault(call: PaymentCall, kind: PaymentFault): TelegramFault {
  const refusal = (code: number, description: string) => ({
    kind: "refusal" as const,
    code,
    description,
  });
  switch (kind) {
    case "timeout-before":
      return { kind: "dropBefore" };
    case "timeout-after":
      return { kind: "dropAfter" };
    case "500":
      return { kind: "serverError" };
    case "500-after":
      return { kind: "serverErrorAfter" };
    case "429":
      return { kind: "tooMany", retryAfterSeconds: 3 };
    case "nonsense":
      return { kind: "nonsense" };
    case "down":
      return refusal(502, "Bad Gateway");
    case "keys":
      return refusal(401, "Unauthorized");
    case "not-found":
      return call === "refund"
        ? refusal(400, "Bad Request: CHARGE_NOT_FOUND")
        : refusal(404, "Not Found");
    case "refuse":
      return refusal(400, `Bad Request: ${REFUSED[call]}`);
  }
}

const REFUSED: Record<PaymentCall, string> = {
  create: "STARS_INVOICE_INVALID",
  fetch: "BOT_ACCESS_FORBIDDEN",
  refund: "BALANCE_TOO_LOW",
};
