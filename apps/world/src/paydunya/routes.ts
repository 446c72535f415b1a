import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { PaydunyaKeys } from "../options.ts";
import { type Answer, answerCall, asTold, type Refusals } from "../payouts/answers.ts";
import type { Payout } from "../payouts/state.ts";
import type { PayoutTill } from "../payouts/till.ts";
import type { PayoutFault, PayoutStep } from "../wire.ts";
import { newInvoice, readInvoice } from "./invoice.ts";
import { checkShape, submitShape } from "./shapes.ts";

export type PaydunyaCounter = {
  till: PayoutTill;
  keys: PaydunyaKeys | null;
  /** Whether it may take an invoice with this callback address. */
  reaches(callbackUrl: string): Promise<boolean>;
};

/** PayDunya's disburse calls: all three POST, and a refusal is HTTP 200 too (§7.1, 7.4). */
export function registerPaydunyaRoutes(app: FastifyInstance, counter: PaydunyaCounter): void {
  const { till } = counter;
  type Act = (form: Record<string, unknown>, fault: PayoutFault | null) => Answer | Promise<Answer>;
  const route = (name: string, step: PayoutStep, act: Act) =>
    app.post(`/api/v2/disburse/${name}`, async (request: FastifyRequest, reply: FastifyReply) => {
      const asked = { request, reply, step };
      return answerCall(till, { asked, refusals: REFUSALS }, (fault) =>
        hasKeys(request, counter.keys)
          ? act((request.body ?? {}) as Record<string, unknown>, fault)
          : no("1001", "Invalid Masterkey Specified"),
      );
    });
  route("get-invoice", "prepare", (form) => getInvoice(counter, form));
  route("submit-invoice", "submit", (form, fault) => submitInvoice(till, form, fault));
  route("check-status", "lookup", (form, fault) => {
    const payout = byToken(till, form.disburse_invoice);
    return payout === undefined ? NO_INVOICE : yes(checkShape(asTold(payout, fault), fault));
  });
}

async function getInvoice(
  { till, reaches }: PaydunyaCounter,
  form: Record<string, unknown>,
): Promise<Answer> {
  const read = readInvoice(form);
  if (!read.ok) return no(read.code, read.text);
  const { callbackUrl } = read.given;
  if (callbackUrl && !(await reaches(callbackUrl))) {
    return no("4002", "The callback_url could not be reached.");
  }
  const payout = newInvoice(read.given, {
    nowMs: till.clock.now().getTime(),
    chance: till.chance,
  });
  till.record(payout);
  return yes({ response_code: "00", disburse_token: payout.handle ?? "" });
}

/** The same token again tells of the same payout: nothing is sent twice. */
function submitInvoice(
  till: PayoutTill,
  form: Record<string, unknown>,
  fault: PayoutFault | null,
): Answer {
  const payout = byToken(till, form.disburse_invoice);
  if (payout === undefined) return NO_INVOICE;
  const { disburse_id: id } = form;
  const reference = typeof id === "string" && id !== "" ? id : payout.reference;
  if (payout.reference !== null && payout.reference !== reference) {
    return no("5000", "The disburse_id is not the one of this invoice.");
  }
  if (reference !== null && usedElsewhere(till, payout, reference)) {
    return no("5000", "This disburse_id has already been used.");
  }
  payout.reference = reference;
  return till.accept(payout, fault) ? yes(submitShape(payout, fault)) : REFUSALS.shortFloat();
}

function usedElsewhere(till: PayoutTill, payout: Payout, reference: string): boolean {
  return [...till.book.payouts.values()].some(
    (other) => other !== payout && other.reference === reference && other.status !== "created",
  );
}

function byToken(till: PayoutTill, token: unknown): Payout | undefined {
  if (typeof token !== "string") return undefined;
  return [...till.book.payouts.values()].find(({ handle }) => handle === token);
}

function hasKeys({ headers }: FastifyRequest, keys: PaydunyaKeys | null): boolean {
  return (
    keys !== null &&
    headers["paydunya-master-key"] === keys.masterKey &&
    headers["paydunya-private-key"] === keys.privateKey &&
    headers["paydunya-token"] === keys.token
  );
}

const yes = (body: object): Answer => ({ status: 200, body });
const no = (code: string, text: string): Answer =>
  yes({ response_code: code, response_text: text });

const NO_INVOICE = no("4004", "The disburse_invoice was not found.");

const REFUSALS: Refusals = {
  refused: (step) =>
    step === "submit"
      ? no("4006", "The recipient account cannot receive this transaction.")
      : no("401", "Disbursement is not enabled on this account."),
  shortFloat: () => no("4002", "Insufficient balance in your PayDunya account."),
  tooMany: () => ({ status: 429, body: { message: "Too Many Attempts." } }),
  broken: (status) => ({ status, body: { message: "Server Error" } }),
};
