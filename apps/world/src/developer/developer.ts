import { textOf } from "@sesame/kernel";
import type { Clock } from "@sesame/kernel";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Checked, checkSignature } from "./check-signature.ts";
import { developerCopy } from "./copy.fr.ts";
import { developerPage } from "./page.ts";

/** What arrived at one of the developer's addresses. */
export type Received = {
  readonly id: string;
  readonly type: string;
  readonly body: string;
  readonly at: string;
  /** Null: the address knows no secret, so nothing was checked. */
  readonly checked: Checked | null;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
};

/** How an address answers: by a status, by a redirect, or not at all. */
export type Manner =
  | { readonly kind: "status"; readonly status: number; readonly body?: string }
  | { readonly kind: "redirect"; readonly to: string }
  | { readonly kind: "silence" };

export type Hook = {
  secret: string | null;
  manner: Manner;
  /** Answers whoever was left without an answer. */
  release(): void;
  /** Newest last. */
  readonly received: Received[];
};

/** A seller's own programmer: addresses that hear events, check their signatures, and show them. */
export type Developer = {
  /** The address by that name; made when it is first asked for. */
  hook(name: string): Hook;
  register(app: FastifyInstance): Promise<void>;
};

type KeptHook = Hook & { readonly waiting: (() => void)[] };

function newHook(): KeptHook {
  const waiting: (() => void)[] = [];
  const release = () => {
    for (const answer of waiting.splice(0)) answer();
  };
  return { secret: null, manner: GOOD, received: [], waiting, release };
}

const KEPT = 200;
const HOOKS_MAX = 100;
const GOOD: Manner = { kind: "status", status: 200 };

export function startDeveloper(clock: Clock): Developer {
  const hooks = new Map<string, KeptHook>();
  const hook = (name: string): KeptHook => {
    const known = hooks.get(name) ?? newHook();
    if (hooks.size < HOOKS_MAX) hooks.set(name, known);
    return known;
  };
  return {
    hook,
    register: async (app) =>
      // Apart: here the exact bytes count, whatever their type.
      app.register(async (own) => {
        own.removeAllContentTypeParsers();
        own.addContentTypeParser(
          "*",
          { parseAs: "string" },
          async (_: unknown, body: string) => body,
        );
        own.post("/developer/hooks/:name", (request, reply) =>
          receive(hook(nameIn(request)), { clock, request, reply }),
        );
        own.get("/developer/:name", async (request, reply) =>
          reply
            .type("text/html; charset=utf-8")
            .send(developerPage(nameIn(request), hook(nameIn(request)))),
        );
        own.post("/developer/:name/secret", async (request, reply) => {
          const given = new URLSearchParams(textOf(request.body)).get("secret") ?? "";
          hook(nameIn(request)).secret = given.trim() === "" ? null : given.trim();
          return reply.redirect(`/developer/${encodeURIComponent(nameIn(request))}`, 303);
        });
      }),
  };
}

function nameIn(request: FastifyRequest): string {
  return (request.params as { name: string }).name.slice(0, 60);
}

type Call = {
  readonly clock: Clock;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
};

async function receive(hook: KeptHook, { clock, request, reply }: Call): Promise<FastifyReply> {
  const body = textOf(request.body);
  const { headers } = request;
  const now = clock.now();
  const checked = hook.secret === null ? null : checkSignature({ headers, body }, hook.secret, now);
  const id = String(headers["webhook-id"] ?? "");
  hook.received.push({ id, type: typeOf(body), body, at: now.toISOString(), checked, headers });
  if (hook.received.length > KEPT) hook.received.shift();
  if (checked !== null && checked !== "good") return reply.code(401).send(developerCopy.refused);
  const { manner } = hook;
  switch (manner.kind) {
    case "silence":
      await new Promise<void>((resolve) => hook.waiting.push(resolve));
      return reply.code(200).send();
    case "redirect":
      return reply.redirect(manner.to, 307);
    case "status":
      return reply.code(manner.status).send(manner.body ?? "");
  }
}

function typeOf(body: string): string {
  try {
    const { type } = JSON.parse(body) as { type?: unknown };
    return typeof type === "string" ? type : "";
  } catch {
    return "";
  }
}
