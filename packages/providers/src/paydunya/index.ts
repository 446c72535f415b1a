import { assert, ok, refuse } from "@sesame/kernel";
import { type HttpAnswer, keysRefused, nonsense, orBusy } from "../http-client.ts";
import { readPayoutNumber, refuseAmount, termsOf } from "../payout-methods.ts";
import type {
  Environment,
  FetchedPayout,
  PayoutAnswer,
  PayoutProvider,
  PayoutRefusal,
  PayoutRequest,
} from "../port.ts";
import {
  field,
  firstField,
  payoutStatuses,
  readAmount,
  readAnyId,
  readWords,
  saysFloatIsShort,
} from "../reading.ts";
import * as paydunya from "./client.ts";

export { createPaydunya } from "./payments.ts";

const TIMEOUT_MS = 15_000;

/** From users' reports, not documented; no maximum is known. */
const LIMITS = { min: 200, max: null };

type Api = { readonly client: paydunya.PaydunyaClient; readonly environment: Environment };

/**
 * PayDunya's payouts as a payout provider: the fifteen methods under their own names. Two steps;
 * the token of the first is the handle, and finds the payout for ever.
 */
export function createPaydunyaPayouts(options: paydunya.PaydunyaOptions): PayoutProvider {
  const client = paydunya.createPaydunyaClient({ timeoutMs: TIMEOUT_MS, ...options });
  const api: Api = { client, environment: paydunya.environmentOfKey(options.privateKey) };
  return {
    id: "paydunya",
    cannotServe: (method, amount) =>
      termsOf(method) ? refuseAmount(amount, LIMITS) : { kind: "method" },
    prepare: (request) => prepare(client, request),
    submit: (request, handle) => submit(api, request, handle),
    lookup: async ({ handle }) => (handle === null ? null : check(api, handle)),
    list: null,
    probesWebhooks: true,
    withoutProof: (rawBody) => paydunya.withoutHash(rawBody, options.masterKey),
    readWebhook: (_headers, rawBody) => paydunya.readPaydunyaWebhook(rawBody, options.masterKey),
  };
}

async function prepare(client: paydunya.PaydunyaClient, request: PayoutRequest) {
  const number = readPayoutNumber(request.method, request.phone);
  if (number === null) return refuse({ kind: "request", message: null });
  const answer = await client.getInvoice({
    // Without the country's code.
    account_alias: number.local,
    amount: Number(request.amount),
    withdraw_mode: request.method,
    callback_url: request.callbackUrl,
    disburse_id: request.reference,
  });
  if (paydunya.saidNo(answer)) return refuse(translateDisburseRefusal(answer.status, answer.body));
  const handle = answer.status < 300 ? translateInvoice(answer.body) : null;
  if (handle === null) throw nonsense("paydunya", "get-invoice", answer);
  return ok({ handle });
}

async function submit(api: Api, request: PayoutRequest, handle: string | null) {
  assert(handle !== null, "a payout of PayDunya is submitted by its token");
  const submission = { disburse_invoice: handle, disburse_id: request.reference };
  const taken = await orBusy(api.client.submitInvoice(submission));
  if (!taken.ok) return taken;
  const answer = taken.value;
  if (paydunya.saidNo(answer)) return confirmNo(api, handle, answer);
  const sent = answer.status < 300 ? translateSubmitted(answer.body, api.environment) : null;
  if (!sent) throw nonsense("paydunya", "submit-invoice", answer);
  return ok(sent);
}

/**
 * A refusal of `submit-invoice` may be the answer to a second submission of a payout already sent,
 * and the codes are not published: the payout is looked up before the refusal is believed. For a
 * reference submitted before, with another token, no lookup exists: the result is unknown.
 */
async function confirmNo(api: Api, handle: string, no: HttpAnswer) {
  const payout = await check(api, handle);
  if (payout?.status === "sent" || payout?.status === "succeeded") return ok(payout);
  if (payout === null || paydunya.saysAlreadySubmitted(no.body)) {
    throw nonsense("paydunya", "submit-invoice", no);
  }
  return refuse(translateDisburseRefusal(no.status, no.body));
}

async function check({ client, environment }: Api, handle: string): Promise<FetchedPayout | null> {
  const answer = await client.checkStatus(handle);
  if (paydunya.saidNo(answer)) {
    // Refused keys give no information about the payout.
    if (translateDisburseRefusal(answer.status, answer.body).kind === "keys") {
      throw keysRefused("paydunya");
    }
    return null;
  }
  const payout = answer.status < 300 ? translateStatus(answer.body, environment) : null;
  if (!payout) throw nonsense("paydunya", "check-status", answer);
  return payout;
}

/** Maps PayDunya's answers about payouts. Pure. Null: an invalid answer. */

export const payoutStatusOf = payoutStatuses({
  success: "succeeded",
  failed: "failed",
  created: "not-started",
});

/** The answer of POST /disburse/get-invoice: the token for all other calls. */
export function translateInvoice(body: unknown): string | null {
  return paydunya.isYes(body) ? paydunya.readToken(field(body, "disburse_token")) : null;
}

/** The success of POST /disburse/submit-invoice: `status` may be missing. */
export function translateSubmitted(body: unknown, environment: Environment): PayoutAnswer | null {
  if (!paydunya.isYes(body)) return null;
  const said = field(body, "status");
  const word = typeof said === "string" ? said : "submitted";
  const status = payoutStatusOf(word);
  // Just submitted: `created` is a status not yet updated, never a proof that it was not sent.
  return {
    ...read(body, word, environment),
    status: status === "not-started" ? "sent" : status,
  };
}

/** The answer of POST /disburse/check-status. */
export function translateStatus(body: unknown, environment: Environment): FetchedPayout | null {
  const word = field(body, "status");
  if (!paydunya.isYes(body) || typeof word !== "string") return null;
  const reference = field(body, "disburse_id");
  return {
    ...read(body, word, environment),
    amount: readAmount(field(body, "amount")),
    currency: null,
    reference: typeof reference === "string" ? reference : null,
  };
}

const OPERATOR_REFERENCES = ["provider_ref", "provider_reference", "disburse_tx_id"];

function read(body: unknown, word: string, environment: Environment): PayoutAnswer {
  const status = payoutStatusOf(word);
  const why = ["fail_reason", "failure_reason", "description", "response_text"];
  return {
    status,
    providerPayoutId: readAnyId(field(body, "transaction_id")),
    word: word.slice(0, 40),
    operatorReference: readWords(firstField(body, OPERATOR_REFERENCES)),
    failure: status === "failed" ? readWords(firstField(body, why)) : null,
    cost: null,
    environment,
  };
}

export function translateDisburseRefusal(status: number, body: unknown): PayoutRefusal {
  if (paydunya.saysKeysAreWrong(status, body)) return { kind: "keys" };
  const message = readWords(firstField(body, ["response_text", "description", "message"]));
  return saysFloatIsShort(message) ? { kind: "float" } : { kind: "request", message };
}
