import { textOf } from "@sesame/kernel";
import type { Clock } from "@sesame/kernel";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { developerCopy as copy } from "./messages.fr.ts";
import { createHmac, timingSafeEqual } from "node:crypto";

type Checked = "good" | "no-headers" | "too-old" | "wrong";

type Letter = { headers: FastifyRequest["headers"]; body: string };

const TOLERANCE_S = 300;

/**
 * Written only from the rules at standardwebhooks.com, as a developer would: it must not share a
 * mistake with the code that signs.
 */
export function checkSignature({ headers, body }: Letter, secret: string, now: Date): Checked {
  const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map((name) =>
    textOf(headers[`webhook-${name}`]),
  );
  if (!id || !timestamp || !signatures || !/^\d{1,15}$/.test(timestamp)) return "no-headers";
  const age = Math.floor(now.getTime() / 1000) - Number(timestamp);
  if (Math.abs(age) > TOLERANCE_S) return "too-old";
  const key = Buffer.from(secret.split("_")[1] ?? "", "base64");
  const expected = createHmac("sha256", key).update([id, timestamp, body].join(".")).digest();
  for (const signature of signatures.split(" ")) {
    const comma = signature.indexOf(",");
    if (signature.slice(0, comma) !== "v1") continue;
    const given = Buffer.from(signature.slice(comma + 1), "base64");
    if (given.length === expected.length && timingSafeEqual(given, expected)) return "good";
  }
  return "wrong";
}

/** What arrived at one of the developer's addresses. */
export type Received = Letter & {
  id: string;
  type: string;
  at: string;
  /** Null: the address knows no secret, so nothing was checked. */
  checked: Checked | null;
};

/** How an address answers: by a status, or not at all. */
export type Manner =
  | { readonly kind: "status"; readonly status: number; readonly body?: string }
  | { readonly kind: "silence" };

export type Hook = ReturnType<typeof newHook>;

function newHook() {
  const waiting: (() => void)[] = [];
  return {
    secret: null as string | null,
    manner: { kind: "status", status: 200 } as Manner,
    /** Newest last. */
    received: [] as Received[],
    waiting,
    /** Answers the requests that were left without an answer. */
    release() {
      for (const answer of waiting.splice(0)) answer();
    },
  };
}

const KEPT = 200;
const HOOKS_MAX = 100;

/**
 * A seller's own programmer: addresses that receive events, check their signatures, and show them.
 */
export function startDeveloper(clock: Clock) {
  const hooks = new Map<string, Hook>();
  const hook = (name: string): Hook => {
    const known = hooks.get(name) ?? newHook();
    if (hooks.size < HOOKS_MAX) hooks.set(name, known);
    return known;
  };
  return {
    /** The address by that name; made when it is first asked for. */
    hook,
    register: async (app: FastifyInstance) =>
      // A parser of its own: the signature is made of the exact bytes, whatever their type.
      app.register(async (own) => {
        own.removeAllContentTypeParsers();
        own.addContentTypeParser(
          "*",
          { parseAs: "string" },
          async (_: unknown, body: string) => body,
        );
        own.post("/developer/hooks/:name", (request, reply) =>
          receive(hook(nameIn(request)), clock.now(), request, reply),
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

async function receive(hook: Hook, now: Date, request: FastifyRequest, reply: FastifyReply) {
  const body = textOf(request.body);
  const { headers } = request;
  const checked = hook.secret === null ? null : checkSignature({ headers, body }, hook.secret, now);
  const id = textOf(headers["webhook-id"]);
  hook.received.push({ id, type: typeOf(body), body, at: now.toISOString(), checked, headers });
  if (hook.received.length > KEPT) hook.received.shift();
  if (checked !== null && checked !== "good") return reply.code(401).send(copy.refused);
  const { manner } = hook;
  switch (manner.kind) {
    case "silence":
      await new Promise<void>((resolve) => hook.waiting.push(resolve));
      return reply.code(200).send();
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

/** What arrived, newest first: a page without scripts or outside resources. */
function developerPage(name: string, hook: Hook): string {
  const path = `/developer/hooks/${encodeURIComponent(name)}`;
  const items = hook.received.toReversed().map(itemOf).join("");
  return `<!doctype html><html lang="fr"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta http-equiv="refresh" content="10">
<title>${escape(copy.title(name))}</title><style>${CSS}</style></head><body>
<h1>${escape(copy.title(name))}</h1><p>${escape(copy.intro)} <code>${escape(path)}</code></p>
<form method="post" action="/developer/${encodeURIComponent(name)}/secret">
<label>${escape(copy.secret)}<input name="secret" autocomplete="off"></label>
<button>${escape(copy.save)}</button></form>
${hook.secret === null ? "" : `<p>${escape(copy.known)}</p>`}
${items === "" ? `<p>${escape(copy.none)}</p>` : `<ol reversed>${items}</ol>`}</body></html>`;
}

function itemOf({ type, id, at, body, checked }: Received): string {
  const said = checked === null ? copy.unchecked : copy.checked[checked];
  return `<li><b>${escape(type)}</b> ${escape(said)}<br><small>${escape(at)} ${escape(id)}</small>
<pre>${escape(body)}</pre></li>`;
}

const CSS =
  "body{font:16px/1.5 system-ui;max-width:44rem;margin:auto;padding:1rem}" +
  "pre{white-space:pre-wrap;overflow-wrap:anywhere;font-size:13px}" +
  "label,input,button{display:block;width:100%;box-sizing:border-box;font:inherit;margin:.25rem 0}";

function escape(text: string): string {
  const signs: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replaceAll(/[&<>"]/g, (sign) => signs[sign] ?? sign);
}
