import { ApiError } from "./api-error.ts";
import { Arguments } from "./arguments.ts";
import { chatMethods } from "./methods/chats.ts";
import { inviteLinkMethods } from "./methods/invite-links.ts";
import { memberMethods } from "./methods/members.ts";
import { messageMethods } from "./methods/messages.ts";
import { preparedMethods } from "./methods/prepared.ts";
import { profileMethods } from "./methods/profile.ts";
import { starMethods } from "./methods/stars.ts";
import { Described, type Method, type MethodTable } from "./methods/table.ts";
import { updateMethods } from "./methods/updates.ts";
import { startPolling } from "./polling.ts";
import type { Bot } from "./state.ts";
import type { Town } from "./town.ts";
import { startWebhooks } from "./webhooks.ts";

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
