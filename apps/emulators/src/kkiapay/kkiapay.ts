import { type Random, MINUTE_MS, readableToken } from "@sesame/kernel";
import type { FastifyInstance } from "fastify";
import { type Answer, type Asked, asForm } from "../kit/calls.ts";
import { textAt } from "../kit/form.ts";
import type { How, Payments } from "../kit/payments.ts";
import { type ProviderDeps, type Given, startProvider } from "../kit/provider.ts";
import type { KkiapayKeys } from "../options.ts";
import { NotPossible } from "../telegram/api-error.ts";
import type { KkiapayConfig, KkiapayModes, PaymentRule } from "../wire.ts";
import {
  DECLINED,
  feesOf,
  OPERATORS,
  withDial,
  webhookShape,
  type Opening,
  statusShape,
  type Transaction,
  widgetWords,
} from "./shapes.ts";

/** KkiaPay for tests and the control panel; its widget must be opened first. */
export type Kkiapay = Payments<Opening> & {
  readonly modes: KkiapayModes;
  /** As a browser does with `openKkiapayWidget`. */
  open(config: KkiapayConfig): Opening;
  /** The state of an opening's last attempt. */
  lastTry(opening: Opening): Transaction | undefined;
};

export const NORMAL_MODES: KkiapayModes = {
  emptyPartnerId: false,
  stateAsText: false,
  forgedSuccess: false,
  otherAmount: false,
};

/** Five further tries, with growing gaps. */
const PAUSES_MS = [1, 2, 5, 15, 60].map((minutes) => minutes * MINUTE_MS);
const LEAST_AMOUNT = 100;
/** The amount after it was changed in the browser. */
const CHANGED_AMOUNT = 100;

export function startKkiapay(deps: ProviderDeps, given: Given<KkiapayKeys, Opening>) {
  const { random, clock } = deps;
  const { state: book } = given;
  const modes = { ...NORMAL_MODES };
  /** The transaction of an attempt; a pending one goes on. */
  const tryOf = (opening: Opening, { method, phone }: How): Transaction => {
    const last = opening.tries.at(-1);
    if (last?.status === "PENDING") return last;
    const operator = method ?? OPERATORS[0]?.code ?? "";
    const transaction: Transaction = {
      id: readableToken(9, random),
      status: "PENDING",
      operator,
      phone: withDial((phone ?? opening.customer.phone).replace(/\D/g, ""), operator),
      fees: feesOf(Number(opening.amount), operator),
      failure: null,
      performedAtMs: clock.now().getTime(),
    };
    opening.tries.push(transaction);
    opening.transactionId = transaction.id;
    return transaction;
  };
  const provider = startProvider<KkiapayKeys, Opening>(deps, given, {
    name: "kkiapay",
    invent: () => inventKeys(random),
    isBy: ({ publicKey, privateKey, secretKey }, headers) =>
      headers["x-api-key"] === publicKey &&
      headers["x-private-key"] === privateKey &&
      headers["x-secret-key"] === secretKey,
    refusals: REFUSALS,
    timeoutMs: 10_000,
    pausesMs: PAUSES_MS,
    // The secret itself and no signature: who has seen one webhook can send any.
    secret: ({ webhookSecret }) => webhookSecret,
    headers: (_body, secret) => ({ "x-kkiapay-secret": secret }),
    pagePath: null,
    page: (opening) => widgetWords(opening, modes),
    attempt(opening, outcome, how) {
      if (outcome === "cancel") return outcome;
      const transaction = tryOf(opening, how);
      opening.method = transaction.operator;
      if (outcome === "pending") return outcome;
      const failure = outcome === "failure" ? DECLINED : null;
      const status = failure === null ? "SUCCESS" : "FAILED";
      Object.assign(transaction, { failure, status, performedAtMs: clock.now().getTime() });
      return outcome;
    },
    /** A closed widget sends no webhook. */
    announce(opening, end) {
      const transaction = opening.tries.at(-1);
      if (end === "cancelled" || transaction === undefined) return;
      const body = webhookShape({ opening, transaction, modes });
      const { account } = opening;
      provider.webhook.announce({ event: body.event, paymentId: transaction.id, account, body });
    },
  });
  const { accounts, payments } = provider;

  const open = (config: KkiapayConfig): Opening => {
    const { key, sandbox, data = null } = config;
    const account =
      key === undefined ? accounts.get("main") : accounts.by((one) => one.publicKey === key);
    if (account === undefined) throw new NotPossible("key");
    // A key of the tests and the flag go together, or the widget does not open.
    const forTests = account.keys.privateKey.startsWith("tpk_");
    if (sandbox !== undefined && sandbox !== forTests) throw new NotPossible("sandbox");
    const asked = Number(config.amount);
    if (!Number.isInteger(asked) || asked < LEAST_AMOUNT) throw new NotPossible("amount");
    const names = [config.firstname, config.lastname].map(text).filter((part) => part !== "");
    const partnerId = text(config.partnerId) || null;
    return payments.open({
      id: `wd_${readableToken(12, random)}`,
      account: account.id,
      reference: typeof data === "string" ? data : partnerId,
      amount: modes.otherAmount ? CHANGED_AMOUNT : asked,
      description: text(config.reason),
      data,
      partnerId,
      customer: {
        name: text(config.fullname) || text(config.name) || names.join(" "),
        email: text(config.email),
        phone: (text(config.phoneNumber) || text(config.phone)).replace(/\D/g, ""),
      },
      tries: [],
    });
  };

  const about =
    (act: (opening: Opening, transaction: Transaction) => Answer | null) =>
    ({ account, body }: Asked<KkiapayKeys, PaymentRule>): Answer => {
      const id = textAt(body, "transactionId");
      for (const opening of book.payments.values()) {
        const transaction = opening.tries.find((one) => one.id === id);
        if (transaction === undefined) continue;
        if (opening.account !== account.id) return no(400, "INVALID_TRANSACTION");
        const refusal = act(opening, transaction);
        return refusal ?? { status: 200, body: statusShape({ opening, transaction, modes }) };
      }
      return REFUSALS.notFound();
    };
  /** The whole amount, once. */
  const revert = (opening: Opening, transaction: Transaction) => {
    if (transaction.status !== "SUCCESS") return no(400, "TRANSACTION_NOT_ELIGIBLE");
    transaction.status = "REVERTED";
    opening.status = "refunded";
    deps.changed();
    return null;
  };
  // Its two calls (payment-providers.md §6.3, 6.4).
  provider.on(
    "POST /api/v1/transactions/status",
    "fetch",
    about(() => null),
  );
  provider.on("POST /api/v1/transactions/revert", "refund", about(revert));
  const collect: Kkiapay = {
    ...payments,
    modes,
    open,
    lastTry: ({ tries }) => tries.at(-1),
    act(id, action) {
      const view = payments.page(id);
      // Paid in the browser alone: neither money nor a transaction behind it.
      if (action.action === "success" && modes.forgedSuccess && view !== null) {
        const reported = { ...view.reported, transactionId: `forged-${id}` };
        return { ...view, status: "success", over: true, reported };
      }
      return payments.act(id, action);
    },
  };
  return {
    ...collect,
    ...provider.face,
    collect,
    register(app: FastifyInstance) {
      provider.face.register(app);
      // Asked by the page in the widget's frame alone, on the emulators' own paths.
      app.post("/emulators/kkiapay/openings", async (request, reply) => {
        try {
          return payments.checkout(open(asForm(request.body)));
        } catch (error) {
          if (error instanceof NotPossible) return reply.code(422).send({ error: error.message });
          throw error;
        }
      });
    },
  };
}

const text = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";

function inventKeys(random: Random): KkiapayKeys {
  const word = () => readableToken(24, random).toLowerCase();
  return {
    publicKey: word(),
    privateKey: `tpk_${word()}`,
    secretKey: `tsk_${word()}`,
    webhookSecret: word(),
  };
}

/** KkiaPay publishes only the words of its errors; status and form are the emulator's own. */
const no = (status: number, reason: string): Answer => ({
  status,
  body: { status: 4003, reason, message: reason },
});

const REFUSALS = {
  keys: () => no(401, "INVALID_API_KEY"),
  refused: (call: string) =>
    no(400, call === "refund" ? "INSUFFICIENT_FUND" : "INVALID_TRANSACTION"),
  notFound: () => no(404, "TRANSACTION_NOT_FOUND"),
  tooMany: () => no(429, "TOO_MANY_REQUESTS"),
  broken: (status: number) => no(status, "SERVER_ERROR"),
};
