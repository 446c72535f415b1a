import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Answer, answerCall, asTold, type Refusals } from "../payouts/answers.ts";
import { type NewPayout, type PayoutDesk, payoutDesk } from "../payouts/desk.ts";
import { type PayoutTill, startTill, type TillOptions } from "../payouts/till.ts";
import type { PayoutFault, PayoutStep } from "../wire.ts";
import type { MonerooNotices } from "./notices.ts";
import { newMonerooPayout, readPayoutInitialize } from "./payout-initialize.ts";
import { payoutRetrieveShape, payoutVerifyShape } from "./payout-shapes.ts";

/** Moneroo's payouts: one step, and no way to find one without its id (payment-providers.md §4.7). */
export type MonerooPayouts = PayoutDesk & {
  register(app: FastifyInstance): void;
  /** `GET /v1/payouts/:id`, a path that FedaPay has too. */
  answerPayout(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
};

export type MonerooPayoutOptions = Omit<
  TillOptions,
  "name" | "accounts" | "firstFloat" | "announce"
> & {
  secretKey: string;
  notices: MonerooNotices;
  /** Whether `payout.initiated` is announced too. */
  announceInitiated: boolean;
  worldUrl(): string;
};

const FIRST_FLOAT = 10_000_000;

export function startMonerooPayouts(options: MonerooPayoutOptions): MonerooPayouts {
  const { notices, clock, chance, worldUrl } = options;
  const till = startTill({
    ...options,
    name: "moneroo",
    accounts: ["main"],
    firstFloat: FIRST_FLOAT,
    announce(payout, event) {
      if (event === "initiated" && !options.announceInitiated) return;
      notices.announcePayout(payout, `payout.${event}`);
    },
  });
  const newPayout = (given: NewPayout) =>
    newMonerooPayout(given, { nowMs: clock.now().getTime(), chance });
  const expected = `Bearer ${options.secretKey}`;
  const answering =
    (step: PayoutStep, act: (request: FastifyRequest, fault: PayoutFault | null) => Answer) =>
    (request: FastifyRequest, reply: FastifyReply) =>
      answerCall(till, { asked: { request, reply, step }, refusals: REFUSALS }, (fault) =>
        request.headers.authorization === expected ? act(request, fault) : UNAUTHENTICATED,
      );
  const initialize = answering("submit", ({ body }, fault) => {
    const read = readPayoutInitialize(body);
    if (!read.ok) return told(422, "The given data was invalid.", read.errors);
    const payout = newPayout(read.given);
    if (!till.accept(payout, fault)) return REFUSALS.shortFloat();
    till.record(payout);
    const message = "Payout transaction initialized successfully";
    return { status: 201, body: { success: true, message, data: { id: payout.id } } };
  });
  const verify = answering("lookup", (request, fault) =>
    payoutAnswer(till, request, { fault, worldUrl: worldUrl(), shape: "verify" }),
  );
  const retrieve = answering("lookup", (request, fault) =>
    payoutAnswer(till, request, { fault, worldUrl: worldUrl(), shape: "retrieve" }),
  );
  return {
    ...payoutDesk({ till, sender: notices, newPayout }),
    answerPayout: retrieve,
    register(app) {
      app.post("/v1/payouts/initialize", initialize);
      app.get("/v1/payouts/:id/verify", verify);
    },
  };
}

function payoutAnswer(
  till: PayoutTill,
  { params }: FastifyRequest,
  shown: { fault: PayoutFault | null; worldUrl: string; shape: "verify" | "retrieve" },
): Answer {
  const payout = till.book.payouts.get((params as { id: string }).id);
  if (payout === undefined) return told(404, "Payout transaction not found.");
  const says = asTold(payout, shown.fault);
  const data =
    shown.shape === "verify" ? payoutVerifyShape(says, shown) : payoutRetrieveShape(says, shown);
  const message = "Payout transaction fetched successfully!";
  return { status: 200, body: { success: true, message, data, errors: null } };
}

function told(status: number, message: string, errors: object | null = null): Answer {
  return { status, body: { message, data: null, errors } };
}

const UNAUTHENTICATED = told(401, "Unauthenticated.");

const REFUSALS: Refusals = {
  refused: () => told(400, "This payout was refused by the payment gateway."),
  shortFloat: () => told(400, "Insufficient balance to perform this payout."),
  tooMany: () => told(429, "Too Many Attempts."),
  broken: (status) => told(status, "Server Error"),
};
