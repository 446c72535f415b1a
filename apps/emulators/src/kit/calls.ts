import type { FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import type { CollectorName, FaultRule } from "../wire.ts";
import type { Account } from "./accounts.ts";
import type { Faults } from "./faults.ts";
import type { ProviderDeps } from "./provider.ts";

export type Answer = { status: number; body: object };
type Call<R extends FaultRule> = Exclude<R["call"], "any">;

/** A provider's answers to calls that go wrong. */
export type Refusals<R extends FaultRule> = {
  /** The keys are wrong. */
  keys(): Answer;
  refused(call: Call<R>): Answer;
  notFound(): Answer;
  shortFloat?(): Answer;
  tooMany(): Answer;
  /** 500 or 503. */
  broken(status: number): Answer;
};

export type Asked<K, R extends FaultRule> = {
  account: Account<K>;
  body: unknown;
  query: Record<string, unknown>;
  params: Record<string, string>;
  /** A fault that lets the call through and changes what it does or answers. */
  fault: R | null;
};

/** What it answers; undefined: what the call names is not there. */
type Act<K, R extends FaultRule> = (asked: Asked<K, R>) => Answer | undefined;
/** The name of a call in faults. */
type Which<R extends FaultRule> = Call<R> | ((params: Record<string, string>) => Call<R>);
/** What a provider needs to answer its calls. */
type Counter<K, R extends FaultRule> = {
  name: CollectorName;
  faults: Faults<R>;
  refusals: Refusals<R>;
  accountOf(request: FastifyRequest): Account<K> | undefined;
  /** Its routes are added here. */
  routes: RouteOptions[];
};

/**
 * → a function that declares a route (`POST /v1/payouts`), its call for faults, and its action. The
 * answer passes through the fault that is set for the call, and the pages are notified.
 */
export function answering<K, R extends FaultRule>(deps: ProviderDeps, counter: Counter<K, R>) {
  const { faults, refusals } = counter;
  const answer = async (
    { which, act }: { which: Which<R>; act: Act<K, R> },
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const params = request.params as Record<string, string>;
    const call = typeof which === "function" ? which(params) : which;
    const fault = faults.take(call);
    const notify = (status: number) => {
      const at = deps.clock.now().toISOString();
      const what = `${request.method} ${request.url.split("?")[0] ?? ""}`;
      deps.show({ type: "call", at, party: counter.name, what, status });
    };
    const send = ({ status, body }: Answer) => {
      notify(status);
      return reply.code(status).type("application/json").send(JSON.stringify(body));
    };
    const done = () => {
      const account = counter.accountOf(request);
      if (account === undefined) return refusals.keys();
      const { body, query } = request;
      return act({ account, body, query: asForm(query), params, fault }) ?? refusals.notFound();
    };
    /** Ends the connection without an answer: the result of a time-out, without the wait. */
    const breakOff = (afterMs: number) => {
      reply.hijack();
      setTimeout(() => {
        notify(0);
        reply.raw.destroy();
      }, afterMs).unref();
      return reply;
    };
    switch (fault?.kind) {
      case "refuse":
        return send(refusals.refused(call));
      case "keys":
        return send(refusals.keys());
      case "not-found":
        return send(refusals.notFound());
      case "insufficient-float":
        return send(refusals.shortFloat?.() ?? refusals.refused(call));
      case "429":
        return send(refusals.tooMany());
      case "500":
        return send(refusals.broken(500));
      case "down":
        return send(refusals.broken(503));
      case "nonsense":
        notify(200);
        return reply.code(200).type("text/html").send("<html><body>Bad gateway</body></html>");
      case "timeout-before":
        return breakOff(fault.afterMs);
      case "timeout-after":
        done();
        return breakOff(fault.afterMs);
      case "500-after":
        done();
        return send(refusals.broken(500));
      case "slow":
        await new Promise((go) => setTimeout(go, fault.afterMs).unref());
        return send(done());
      default:
        return send(done());
    }
  };
  return (path: string, which: Which<R>, act: Act<K, R>): void => {
    const [method = "GET", url = ""] = path.split(" ");
    const handler = (request: FastifyRequest, reply: FastifyReply) =>
      answer({ which, act }, request, reply);
    counter.routes.push({ method, url, handler });
  };
}

/** A map, or an empty one for anything else: PHP writes an empty map as an empty list. */
export function asForm(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

/** A field, its rule, and the provider's words when the rule is broken. */
export type Rule = readonly [field: string, holds: (value: unknown) => boolean, words: string];

/** The value at a dotted path. */
export function at(body: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((value, key) => asForm(value)[key], body);
}

/** A text; anything else is empty. */
export function textAt(body: unknown, path: string): string {
  const value = at(body, path);
  return typeof value === "string" ? value : "";
}

/** The broken rules in their order, one for each field. */
export function brokenRules(body: unknown, rules: readonly Rule[]): Rule[] {
  const found = new Map<string, Rule>();
  for (const rule of rules) {
    const [field, holds] = rule;
    if (!found.has(field) && !holds(at(body, field))) found.set(field, rule);
  }
  return [...found.values()];
}

/** Field → complaints, as Laravel and Rails answer 422; null: the body is well formed. */
export function complaints(body: unknown, rules: readonly Rule[]): Record<string, string[]> | null {
  const wrong = brokenRules(body, rules).map(([field, , words]) => [field, [words]]);
  return wrong.length === 0 ? null : Object.fromEntries(wrong);
}

export const isText = (value: unknown): value is string =>
  typeof value === "string" && value !== "";
export const isWhole = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value);
export const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== "";
export const isUrl = (value: unknown): boolean => isText(value) && URL.canParse(value);
export const isEmail = (value: unknown): boolean =>
  isText(value) && /^[^\s@]+@[^\s@]+$/.test(value);
export const orNothing = (holds: (value: unknown) => boolean) => (value: unknown) =>
  !isGiven(value) || holds(value);
