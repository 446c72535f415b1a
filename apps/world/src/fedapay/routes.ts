import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { DAY_MS, textOf } from "@sesame/kernel";
import { type Answer, answerCall, asTold, type Refusals } from "../payouts/answers.ts";
import { networkOfMethod } from "../payouts/methods.ts";
import type { NewPayout } from "../payouts/desk.ts";
import type { Payout } from "../payouts/state.ts";
import type { PayoutTill } from "../payouts/till.ts";
import type { PayoutFault, PayoutStep } from "../wire.ts";
import { asForm, readPayout, readPhone } from "./create.ts";
import { balanceShape, listMeta, payoutShape } from "./shapes.ts";
import { FEDAPAY_WORDS as WORDS } from "./words.fr.ts";

export type FedapayCounter = {
  till: PayoutTill;
  newPayout(given: NewPayout): Payout;
  /** Whether this request bears FedaPay's key. */
  owns(request: FastifyRequest): boolean;
  created(payout: Payout): void;
};

type Act = (fault: PayoutFault | null) => Answer | Promise<Answer>;

function answering(counter: FedapayCounter, step: PayoutStep, act: (r: FastifyRequest) => Act) {
  return (request: FastifyRequest, reply: FastifyReply) =>
    answerCall(counter.till, { asked: { request, reply, step }, refusals: REFUSALS }, (fault) =>
      counter.owns(request) ? act(request)(fault) : told(401, WORDS.badKey),
    );
}

/** FedaPay's payouts; `GET /v1/payouts/:id` is Moneroo's path too (see `../providers.ts`). */
export function registerFedapayRoutes(app: FastifyInstance, counter: FedapayCounter): void {
  const { till } = counter;
  const route = (step: PayoutStep, act: (request: FastifyRequest) => Act) =>
    answering(counter, step, act);
  const create = route(
    "prepare",
    ({ body }) =>
      () =>
        createPayout(counter, body),
  );
  app.post("/v1/payouts", create);
  const start = route(
    "submit",
    ({ body }) =>
      (fault) =>
        startPayouts(till, body, fault),
  );
  app.put("/v1/payouts/start", start);
  const list = route(
    "list",
    ({ query }) =>
      (fault) =>
        listPayouts(till, asForm(query), fault),
  );
  app.get("/v1/payouts", list);
  const byReference = route("lookup", ({ params }) => (fault) => {
    const { reference } = params as { reference: string };
    const found = [...till.book.payouts.values()].find((one) => one.reference === reference);
    return found === undefined ? NOT_FOUND : one(found, fault);
  });
  app.get("/v1/payouts/merchant/:reference", byReference);
  const balances = route("list", () => () => {
    const atMs = till.clock.now().getTime();
    return json(200, { "v1/balances": till.floats().map((float) => balanceShape(float, atMs)) });
  });
  app.get("/v1/balances", balances);
}

export function answerFedapayPayout(
  counter: FedapayCounter,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  return answering(counter, "lookup", ({ params }) => (fault) => {
    const payout = counter.till.book.payouts.get((params as { id: string }).id);
    return payout === undefined ? NOT_FOUND : one(payout, fault);
  })(request, reply);
}

function createPayout(counter: FedapayCounter, body: unknown): Answer {
  const { till } = counter;
  const isUsed = (reference: string) =>
    [...till.book.payouts.values()].some((payout) => payout.reference === reference);
  const read = readPayout(body, isUsed);
  switch (read.kind) {
    case "noMode":
      return json(500, {});
    case "refused":
      return json(422, { message: WORDS.invalid, errors: read.errors });
    case "made": {
      const payout = counter.newPayout(read.given);
      till.record(payout);
      counter.created(payout);
      return one(payout, null);
    }
  }
}

/** Takes `{ payouts: […] }` and the bare list; one that cannot be started starts none. */
function startPayouts(till: PayoutTill, body: unknown, fault: PayoutFault | null): Answer {
  const asked = Array.isArray(body) ? body : asForm(body).payouts;
  if (!Array.isArray(asked) || asked.length === 0) return told(400, WORDS.refused);
  const payouts: Payout[] = [];
  for (const each of asked.map(asForm)) {
    const payout = till.book.payouts.get(textOf(each.id));
    if (payout === undefined) return NOT_FOUND;
    const errors: string[] = [];
    const network = networkOfMethod("fedapay", payout.method);
    const phone =
      each.phone_number === undefined
        ? payout.phone
        : readPhone(each.phone_number, network, (field) => errors.push(field));
    if (phone === null)
      return json(422, { message: WORDS.refused, errors: { phone_number: errors } });
    if (payout.status === "created" && sentLately(till, phone) >= MAX_TO_NUMBER) {
      const why = { phone_number: [WORDS.tooManyToNumber] };
      return json(422, { message: WORDS.tooManyToNumber, errors: why });
    }
    payout.phone = phone;
    payouts.push(payout);
  }
  for (const payout of payouts) {
    if (!till.accept(payout, fault)) return REFUSALS.shortFloat();
  }
  return json(200, { "v1/payouts": payouts.map((payout) => payoutShape(payout)) });
}

const MAX_TO_NUMBER = 3;

function sentLately(till: PayoutTill, phone: string): number {
  const sinceMs = till.clock.now().getTime() - DAY_MS;
  return [...till.book.payouts.values()].filter(
    (payout) =>
      payout.phone === phone &&
      payout.status !== "failed" &&
      payout.startedAtMs !== null &&
      payout.startedAtMs > sinceMs,
  ).length;
}

const PER_PAGE = 25;
const MAX_PER_PAGE = 100;

/** Newest first. */
function listPayouts(
  till: PayoutTill,
  query: Record<string, unknown>,
  fault: PayoutFault | null,
): Answer {
  const all = [...till.book.payouts.values()].reverse();
  const page = Math.max(1, Number(query.page) || 1);
  const perPage = Math.min(MAX_PER_PAGE, Math.max(1, Number(query.per_page) || PER_PAGE));
  const shown = all.slice((page - 1) * perPage, page * perPage);
  return json(200, {
    "v1/payouts": shown.map((payout) => payoutShape(asTold(payout, fault), fault)),
    meta: listMeta(all.length, page, perPage),
  });
}

function one(payout: Payout, fault: PayoutFault | null): Answer {
  return json(200, { "v1/payout": payoutShape(asTold(payout, fault), fault) });
}

const json = (status: number, body: object): Answer => ({ status, body });
const told = (status: number, message: string): Answer => json(status, { message });

const NOT_FOUND = told(404, WORDS.notFound);

const REFUSALS: Refusals = {
  refused: (step) => (step === "submit" ? told(400, WORDS.refused) : told(403, WORDS.notAllowed)),
  shortFloat: () => told(400, WORDS.shortFloat),
  tooMany: () => told(429, WORDS.tooMany),
  broken: (status) => json(status, {}),
};
