import { textOf } from "@sesame/kernel";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { collectorsOf } from "../providers.ts";
import { ApiError, NotPossible } from "../telegram/api-error.ts";
import type { ActorCalls, CheckoutAction, ControlCalls } from "../wire.ts";
import type { Panel } from "./panel.ts";
import type { RunningWorld } from "./running-world.ts";
import { snapshot } from "./snapshot.ts";
import { streamClock, streamEvents } from "./streams.ts";

/** The world's own paths (see `wire.ts`). */
export function registerControlRoutes(
  app: FastifyInstance,
  world: RunningWorld,
  panel: Panel,
): void {
  app.get("/world/state", async () => snapshot(world));
  app.get("/world/events", (_request, reply) => streamEvents(world, reply));
  app.get("/world/clock", (_request, reply) => streamClock(world, reply));
  app.post("/world/act", async (request, reply) => {
    const { act, ...input } = (request.body ?? {}) as { act?: string };
    if (act === undefined || !Object.hasOwn(world.actors, act)) return unknown(reply, act);
    return attempt(reply, () => call(world.actors, act as keyof ActorCalls, input));
  });
  app.post("/world/control", async (request, reply) => {
    const { control, ...input } = (request.body ?? {}) as { control?: string };
    if (control === undefined || !Object.hasOwn(panel, control)) return unknown(reply, control);
    return attempt(reply, () => call(panel, control as keyof ControlCalls, input));
  });
  const { stars: _none, ...pages } = collectorsOf(world);
  const pageOf = (request: FastifyRequest) => {
    const { provider, token } = request.params as { provider: keyof typeof pages; token: string };
    return { page: Object.hasOwn(pages, provider) ? pages[provider] : undefined, token };
  };
  app.get("/world/pay/:provider/:token", async (request, reply) => {
    const { page, token } = pageOf(request);
    return page?.page(token) ?? reply.code(404).send({ error: "no such payment" });
  });
  app.post("/world/pay/:provider/:token", async (request, reply) => {
    const { page, token } = pageOf(request);
    if (!page?.page(token)) return reply.code(404).send({ error: "no such payment" });
    return attempt(reply, () => {
      const view = page.act(token, request.body as CheckoutAction);
      if (view === null) throw new NotPossible("already paid");
      return view;
    });
  });
  app.get("/world/fedapay/widget", async (request, reply) =>
    attempt(reply, () => world.fedapay.widget(request.query)),
  );
}

/** A call by name: the table's type says that name and input belong together. */
function call<T extends object>(table: T, name: keyof T, input: unknown): unknown {
  const action = table[name] as (input: unknown) => unknown;
  return action(input);
}

function unknown(reply: FastifyReply, name: unknown): FastifyReply {
  return reply.code(422).send({ error: `unknown action ${textOf(name)}` });
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
