import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { startNotices } from "../notices/sender.ts";
import type { FedapayKeys } from "../options.ts";
import { type NewPayout, type PayoutDesk, payoutDesk } from "../payouts/desk.ts";
import type { Payout, PayoutBook } from "../payouts/state.ts";
import { startTill, type TillOptions } from "../payouts/till.ts";
import { newPayout } from "./create.ts";
import { eventBody, signatureHeader } from "./event.ts";
import { answerFedapayPayout, type FedapayCounter, registerFedapayRoutes } from "./routes.ts";
import { MODES } from "./shapes.ts";

export type FedapayState = PayoutBook & {
  /** After ten failures in a row it tells nothing more, until somebody switches it on again. */
  webhookDisabled: boolean;
};

/** FedaPay as the tests and the control panel hold it. */
export type Fedapay = PayoutDesk & {
  /** It stopped telling, after too many failures. */
  webhookDisabled(): boolean;
  enableWebhook(): void;
  owns(request: FastifyRequest): boolean;
  answerPayout(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
  register(app: FastifyInstance): void;
  close(): void;
};

export type FedapayOptions = Omit<
  TillOptions,
  "name" | "book" | "accounts" | "firstFloat" | "announce"
> & {
  state: FedapayState;
  keys: FedapayKeys | null;
  notifyUrl(): string;
};

const FIRST_FLOAT = 2_000_000;
/** Nine more tries; the gaps grow to two minutes. */
const PAUSES_MS = [1, 2, 4, 8, 15, 30, 60, 120, 120].map((seconds) => seconds * 1_000);
const ANSWER_TIMEOUT_MS = 10_000;
/** Its numbers do not begin at one. */
const FIRST_ID = 40_000;

const EVENTS = { success: "payout.sent", failed: "payout.failed", initiated: "payout.started" };

export function startFedapay(options: FedapayOptions): Fedapay {
  const { state, clock, scheduler, changed, keys, notifyUrl } = options;
  const secret = keys?.webhookSecret ?? "";
  const sender = startNotices(
    { book: state, clock, scheduler, changed },
    {
      timeoutMs: ANSWER_TIMEOUT_MS,
      pausesMs: PAUSES_MS,
      accepts: (status) => status >= 200 && status < 300,
      headers: ({ body, forged }, at) => ({
        "content-type": "application/json",
        "x-fedapay-signature": signatureHeader(body, forged ? `${secret}-forged` : secret, at),
      }),
      url: notifyUrl,
      gaveUp: () => {
        state.webhookDisabled = true;
      },
    },
  );
  const announce = (payout: Payout, event: string) => {
    if (keys === null || state.webhookDisabled) return;
    const body = eventBody(payout, event, sender.mode.unusualSpacing);
    sender.announce({ event, paymentId: payout.id, url: null, body });
  };
  const till = startTill({
    ...options,
    book: state,
    name: "fedapay",
    accounts: MODES,
    firstFloat: FIRST_FLOAT,
    announce: (payout, event) => announce(payout, EVENTS[event]),
  });
  const makePayout = (given: NewPayout) =>
    newPayout(given, {
      id: FIRST_ID + state.nextPayoutNumber++,
      nowMs: clock.now().getTime(),
    });
  const counter: FedapayCounter = {
    till,
    newPayout: makePayout,
    owns: ({ headers }) => keys !== null && headers.authorization === `Bearer ${keys.secretKey}`,
    created: (payout) => announce(payout, "payout.created"),
  };
  return {
    ...payoutDesk({ till, sender, newPayout: makePayout }),
    webhookDisabled: () => state.webhookDisabled,
    enableWebhook() {
      state.webhookDisabled = false;
      changed();
    },
    owns: counter.owns,
    answerPayout: (request, reply) => answerFedapayPayout(counter, request, reply),
    register: (app) => registerFedapayRoutes(app, counter),
    close: () => sender.close(),
  };
}
