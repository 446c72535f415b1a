import type { FastifyReply, FastifyRequest } from "fastify";
import type { PayoutFault, PayoutStep } from "../wire.ts";
import type { Payout } from "./state.ts";
import type { PayoutTill } from "./till.ts";

export type Answer = { status: number; body: object };

/** How a provider words what goes wrong. */
export type Refusals = {
  refused(step: PayoutStep): Answer;
  shortFloat(): Answer;
  tooMany(): Answer;
  /** 500 or 503. */
  broken(status: number): Answer;
};

export type Asked = { request: FastifyRequest; reply: FastifyReply; step: PayoutStep };

/** Does what a call asks and answers it, through whatever fault is set for it. */
export async function answerCall(
  till: PayoutTill,
  { asked, refusals }: { asked: Asked; refusals: Refusals },
  act: (fault: PayoutFault | null) => Answer | Promise<Answer>,
): Promise<FastifyReply> {
  const { reply, step } = asked;
  const fault = till.faults.take(step);
  switch (fault?.kind) {
    case "refuse":
      return send(reply, refusals.refused(step));
    case "insufficient-float":
      return send(reply, refusals.shortFloat());
    case "429":
      return send(reply, refusals.tooMany());
    case "down":
      return send(reply, refusals.broken(503));
    case "garbage":
      return reply.code(200).type("text/html").send("<html><body>Bad gateway</body></html>");
    case "timeout-before":
      return breakOff(till, asked, fault.afterMs);
    case "timeout-after-acceptance":
      await act(fault);
      return breakOff(till, asked, fault.afterMs);
    case "500-after-acceptance":
      await act(fault);
      return send(reply, refusals.broken(500));
    case "slow":
      await new Promise((done) => setTimeout(done, fault.afterMs).unref());
      return send(reply, await act(fault));
    case undefined:
    case "late-success":
    case "late-failure":
    case "stay-pending":
    case "unknown-word":
    case "no-word":
    case "wrong-amount":
    case "wrong-reference":
      return send(reply, await act(fault));
  }
}

function send(reply: FastifyReply, { status, body }: Answer): FastifyReply {
  return reply.code(status).type("application/json").send(JSON.stringify(body));
}

/** Nothing comes, and the connection ends: what a time-out leaves behind, without the wait. */
function breakOff(
  till: PayoutTill,
  { request, reply }: Pick<Asked, "request" | "reply">,
  afterMs: number,
): FastifyReply {
  const what = `${request.method} ${request.url.split("?")[0] ?? ""}`;
  const breakNow = () => {
    const at = till.clock.now().toISOString();
    till.show({ type: "call", at, party: till.name, what, status: 0 });
    reply.raw.destroy();
  };
  reply.hijack();
  if (afterMs > 0) setTimeout(breakNow, afterMs).unref();
  else breakNow();
  return reply;
}

/** What a fault makes the provider say of a payout: well formed, and wrong. */
export function asTold(payout: Payout, fault: PayoutFault | null): Payout {
  switch (fault?.kind) {
    case "wrong-amount":
      return { ...payout, amount: payout.amount - 1 };
    case "wrong-reference":
      return { ...payout, reference: `${payout.reference ?? ""}-other`, metadata: {} };
    default:
      return payout;
  }
}

/** Their word for a status, as the fault lets it be told; undefined: the field is left out. */
export function toldWord(word: string, fault: PayoutFault | null): string | undefined {
  if (fault?.kind === "no-word") return undefined;
  return fault?.kind === "unknown-word" ? "on_hold_for_review" : word;
}
