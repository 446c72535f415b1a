import type { FastifyReply, FastifyRequest } from "fastify";
import type { CollectorName, PaymentCall, WorldEvent } from "../wire.ts";
import type { PaymentFaults } from "./faults.ts";

export type Answer = { status: number; body: object };

/** How a provider words what goes wrong. */
export type PaymentRefusals = {
  /** Of these keys. */
  keys(): Answer;
  refused(call: PaymentCall): Answer;
  notFound(): Answer;
  tooMany(): Answer;
  /** 500 or 503. */
  broken(status: number): Answer;
};

/** The counter at which a provider's calls are answered. */
export type PaymentCounter = {
  readonly name: CollectorName;
  readonly faults: PaymentFaults;
  readonly refusals: PaymentRefusals;
  now(): Date;
  /** A connection of the app's broke. */
  show(event: WorldEvent): void;
};

export type AskedPayment = { request: FastifyRequest; reply: FastifyReply; call: PaymentCall };

/** Does what a call asks and answers it, through whatever fault is set for it. */
export async function answerPaymentCall(
  counter: PaymentCounter,
  asked: AskedPayment,
  act: () => Answer | Promise<Answer>,
): Promise<FastifyReply> {
  const { reply, call } = asked;
  const { refusals } = counter;
  const fault = counter.faults.take(call);
  switch (fault) {
    case null:
      return send(reply, await act());
    case "timeout-before":
      return breakOff(counter, asked);
    case "timeout-after":
      await act();
      return breakOff(counter, asked);
    case "500":
      return send(reply, refusals.broken(500));
    case "500-after":
      await act();
      return send(reply, refusals.broken(500));
    case "down":
      return send(reply, refusals.broken(503));
    case "429":
      return send(reply, refusals.tooMany());
    case "nonsense":
      return reply.code(200).type("text/html").send("<html><body>Bad gateway</body></html>");
    case "not-found":
      return send(reply, refusals.notFound());
    case "refuse":
      return send(reply, refusals.refused(call));
    case "keys":
      return send(reply, refusals.keys());
  }
}

function send(reply: FastifyReply, { status, body }: Answer): FastifyReply {
  return reply.code(status).type("application/json").send(JSON.stringify(body));
}

/** Nothing comes, and the connection ends: what a time-out leaves behind, without the wait. */
function breakOff(counter: PaymentCounter, { request, reply }: AskedPayment): FastifyReply {
  const what = `${request.method} ${request.url.split("?")[0] ?? ""}`;
  const at = counter.now().toISOString();
  counter.show({ type: "call", at, party: counter.name, what, status: 0 });
  reply.hijack();
  reply.raw.destroy();
  return reply;
}
