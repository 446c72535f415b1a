import { textOf } from "@sesame/kernel";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { asForm } from "../kit/calls.ts";
import { ApiError, NotPossible } from "../telegram/state.ts";
import type { CheckoutAction, EmulatorEvent } from "../wire.ts";
import type { Panel } from "./panel.ts";
import { type RunningEmulators, snapshot } from "./snapshot.ts";

/** The emulators' own paths (see `wire.ts`). */
export function registerControlRoutes(
  app: FastifyInstance,
  emulators: RunningEmulators,
  panel: Panel,
): void {
  app.get("/emulators/state", async () => snapshot(emulators));
  app.get("/emulators/events", (_request, reply) => streamEvents(emulators, reply));
  app.get("/emulators/clock", (_request, reply) => streamClock(emulators, reply));
  for (const [kind, table] of Object.entries({ act: emulators.actors, control: panel })) {
    // The table's type says that name and input belong together.
    const calls = new Map<string, (input: unknown) => unknown>(Object.entries(table));
    app.post(`/emulators/${kind}`, async (request, reply) => {
      const { [kind]: name, ...input } = asForm(request.body);
      const action = calls.get(textOf(name));
      return attempt(reply, () => {
        if (action === undefined) throw new NotPossible(`unknown action ${textOf(name)}`);
        return action(input);
      });
    });
  }
  const { stars: _none, ...pages } = emulators.collectors;
  const pay = async (request: FastifyRequest, reply: FastifyReply) => {
    const { provider, token } = request.params as { provider: keyof typeof pages; token: string };
    const page = Object.hasOwn(pages, provider) ? pages[provider] : undefined;
    const shown = page?.page(token);
    if (!page || !shown) return reply.code(404).send({ error: "no such payment" });
    if (request.method === "GET") return shown;
    return attempt(reply, () => {
      const view = page.act(token, request.body as CheckoutAction);
      if (view === null) throw new NotPossible("already paid");
      return view;
    });
  };
  app.get("/emulators/pay/:provider/:token", pay);
  app.post("/emulators/pay/:provider/:token", pay);
  const { fedapay, kkiapay } = emulators;
  app.get("/emulators/fedapay/widget", async (request, reply) =>
    attempt(reply, () => fedapay.widget(request.query)),
  );
  app.post("/emulators/kkiapay/openings", async (request, reply) =>
    attempt(reply, () => kkiapay.checkout(kkiapay.open(asForm(request.body)))),
  );
}

async function attempt(reply: FastifyReply, action: () => unknown): Promise<FastifyReply> {
  try {
    const given = await action();
    return reply.type("application/json").send(JSON.stringify(given ?? null));
  } catch (error) {
    if (error instanceof NotPossible || error instanceof ApiError) {
      return reply.code(422).send({ error: error.message });
    }
    throw error;
  }
}

/** Many changes come together: one message with the whole state is enough. */
const GATHER_MS = 40;

/** Calls that come every few seconds and show a visitor nothing. */
const SILENT_METHODS = new Set(["getupdates", "getme"]);

/** Server-sent events: the whole state after each change, and the events between. */
function streamEvents(emulators: RunningEmulators, reply: FastifyReply): void {
  const stream = openStream(reply);
  let timer: NodeJS.Timeout | undefined;
  const send = (event: EmulatorEvent) => stream.write(event);
  const sendState = () => {
    timer = undefined;
    send({ type: "state", state: snapshot(emulators) });
  };
  const stopListening = emulators.listen({
    changed: () => {
      timer ??= setTimeout(sendState, GATHER_MS).unref();
    },
    show: send,
  });
  const stopClock = emulators.clock.onJump(() => {
    send({ type: "clockJumped", offsetMs: emulators.clock.offsetMs() });
  });
  const stopCalls = emulators.onExchange(({ method, answer }) => {
    if (SILENT_METHODS.has(method.toLowerCase())) return;
    const status = answer === null ? 0 : answer.ok ? 200 : answer.error_code;
    const at = emulators.clock.now().toISOString();
    send({ type: "call", at, party: "telegram", what: method, status });
  });
  stream.onEnd(() => {
    stopListening();
    stopCalls();
    stopClock();
    clearTimeout(timer);
  });
  sendState();
}

/**
 * The clock that the server follows: its offset to the machine's clock, at once and after each
 * change.
 */
function streamClock(emulators: RunningEmulators, reply: FastifyReply): void {
  const stream = openStream(reply);
  const send = () => stream.write({ offset_ms: emulators.clock.offsetMs() });
  stream.onEnd(emulators.clock.onJump(send));
  send();
}

function openStream(reply: FastifyReply) {
  reply.hijack();
  reply.raw.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "access-control-allow-origin": "*",
  });
  return {
    write: (value: object) => {
      reply.raw.write(`data: ${JSON.stringify(value)}\n\n`);
    },
    onEnd: (task: () => void) => {
      reply.raw.once("close", task);
    },
  };
}
