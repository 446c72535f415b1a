import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { TelegramFault } from "../wire.ts";
import { ApiError } from "./api-error.ts";
import { Arguments, type Upload } from "./arguments.ts";
import type { Update } from "./bot-api.ts";
import {
  type Dispatcher,
  type Envelope,
  type Exchange,
  failure,
  type Served,
  startDispatcher,
} from "./dispatcher.ts";
import type { TelegramFaults } from "./faults.ts";
import type { Bot } from "./state.ts";
import { asTelegramFault, starCall } from "./stars/faults.ts";
import type { Town } from "./town.ts";

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
