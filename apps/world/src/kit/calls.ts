import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from "fastify";
import type { CollectorName, FaultRule } from "../wire.ts";
import type { Account } from "./accounts.ts";
import type { Faults } from "./faults.ts";
import type { Place } from "./place.ts";

export type Answer = { status: number; body: object };
type Call<R extends FaultRule> = Exclude<R["call"], "any">;

/** How a provider words what goes wrong. */
export type Refusals<R extends FaultRule> = {
  /** Of these keys. */
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
  /** One that lets the call through, and changes what it does or says. */
  fault: R | null;
};

type Act<K, R extends FaultRule> = (asked: Asked<K, R>) => Answer | Promise<Answer>;
/** Which of the faults' calls this is; null: none can be set for it. */
type Which<R extends FaultRule> = Call<R> | null | ((params: Record<string, string>) => Call<R>);
type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** The counter at which a provider's calls are answered. */
export type Counter<K, R extends FaultRule> = {
  name: CollectorName;
  faults: Faults<R>;
  refusals: Refusals<R>;
  accountOf(request: FastifyRequest): Account<K> | undefined;
};

/** Does what a call asks and answers it, through whatever fault is set for it. */
export function answering<K, R extends FaultRule>(place: Place, counter: Counter<K, R>) {
  const { faults, refusals } = counter;
  const handler =
    (which: Which<R>, act: Act<K, R>): Handler =>
    async (request, reply) => {
      const params = request.params as Record<string, string>;
      const call = typeof which === "function" ? which(params) : which;
      const fault = call === null ? null : faults.take(call);
      const done = async () => {
        const account = counter.accountOf(request);
        if (account === undefined) return refusals.keys();
        const { body } = request;
        const query = asForm(request.query);
        return act({ account, body, query, params, fault });
      };
      switch (fault?.kind) {
        case "refuse":
          return send(reply, refusals.refused(call as Call<R>));
        case "keys":
          return send(reply, refusals.keys());
        case "not-found":
          return send(reply, refusals.notFound());
        case "insufficient-float":
          return send(reply, refusals.shortFloat?.() ?? refusals.refused(call as Call<R>));
        case "429":
          return send(reply, refusals.tooMany());
        case "500":
          return send(reply, refusals.broken(500));
        case "down":
          return send(reply, refusals.broken(503));
        case "nonsense":
          return reply.code(200).type("text/html").send("<html><body>Bad gateway</body></html>");
        case "timeout-before":
          return breakOff(request, reply, fault.afterMs);
        case "timeout-after":
          await done();
          return breakOff(request, reply, fault.afterMs);
        case "500-after":
          await done();
          return send(reply, refusals.broken(500));
        case "slow":
          await new Promise((go) => setTimeout(go, fault.afterMs).unref());
          return send(reply, await done());
        default:
          return send(reply, await done());
      }
    };
  /** Nothing comes, and the connection ends: what a time-out leaves behind, without the wait. */
  const breakOff = (request: FastifyRequest, reply: FastifyReply, afterMs: number) => {
    const what = `${request.method} ${request.url.split("?")[0] ?? ""}`;
    const breakNow = () => {
      const at = place.clock.now().toISOString();
      place.show({ type: "call", at, party: counter.name, what, status: 0 });
      reply.raw.destroy();
    };
    reply.hijack();
    if (afterMs > 0) setTimeout(breakNow, afterMs).unref();
    else breakNow();
    return reply;
  };
  return {
    handler,
    /** `POST /v1/payouts`, which of the provider's calls it is, and what it does. */
    on(app: FastifyInstance, path: string, call: Which<R>, act: Act<K, R>): void {
      const [method = "GET", url = ""] = path.split(" ");
      app.route({ method: method as HTTPMethods, url, handler: handler(call, act) });
    },
  };
}

function send(reply: FastifyReply, { status, body }: Answer): FastifyReply {
  return reply.code(status).type("application/json").send(JSON.stringify(body));
}

/** PHP writes an empty map as an empty list, and takes it back. */
export function asForm(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}
