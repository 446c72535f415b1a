import { assert, ok, Outage, refuse, type Result } from "@sesame/kernel";
import {
  type HttpAnswer,
  isExplicitNo,
  nonsense,
  NotTaken,
  orNotTaken,
  waitOf,
} from "../http-client.ts";
import { readPayoutNumber, refuseAmount, termsOf } from "../payout-methods.ts";
import type {
  FetchedPayout,
  PayoutAnswer,
  PayoutProvider,
  PayoutRefusal,
  PayoutRequest,
} from "../payout-port.ts";
import type { Environment } from "../port.ts";
import { createPaydunyaClient, type PaydunyaClient, type PaydunyaOptions } from "./client.ts";
import { readPaydunyaNotice, withoutHash } from "./notice.ts";
import {
  environmentOfKey,
  isNo,
  saysAlreadySubmitted,
  translateDisburseRefusal,
  translateInvoice,
  translateStatus,
  translateSubmitted,
} from "./translate.ts";

export { createPaydunya } from "./collect.ts";

const TIMEOUT_MS = 15_000;

/** Reported, not documented (reference §7.4); no maximum is known. */
const LIMITS = { min: 200, max: null };

type Door = { readonly client: PaydunyaClient; readonly environment: Environment };

/**
 * PayDunya's payouts behind the port: the fifteen methods under their own names. Two steps; the
 * token of the first is the handle, and finds the payout for ever.
 */
export function createPaydunyaPayouts(options: PaydunyaOptions): PayoutProvider {
  const client = createPaydunyaClient({ timeoutMs: TIMEOUT_MS, ...options });
  const door: Door = { client, environment: environmentOfKey(options.privateKey) };
  return {
    id: "paydunya",
    cannotServe: (method, amount) =>
      termsOf(method) ? refuseAmount(amount, LIMITS) : { kind: "method" },
    prepare: (request) => prepare(client, request),
    submit: (request, handle) => submit(door, request, handle),
    lookup: async ({ handle }) => (handle === null ? null : check(door, handle)),
    findsByReference: true,
    list: null,
    probesNotices: true,
    // The proof is in the body.
    mayBeTrusted: () => true,
    withoutProof: (rawBody) => withoutHash(rawBody, options.masterKey),
    readNotice: (_headers, rawBody) => readPaydunyaNotice(rawBody, options.masterKey),
  };
}

async function prepare(
  client: PaydunyaClient,
  request: PayoutRequest,
): Promise<Result<{ handle: string }, PayoutRefusal>> {
  const number = readPayoutNumber(request.method, request.phone);
  if (number === null) return refuse({ kind: "request", message: null });
  const answer = await client.getInvoice({
    // Without the country's code (reference §3.2).
    account_alias: number.local,
    amount: Number(request.amount),
    withdraw_mode: request.method,
    callback_url: request.callbackUrl,
    disburse_id: request.reference,
  });
  if (saidNo(answer)) return refuse(translateDisburseRefusal(answer.status, answer.body));
  const handle = answer.status < 300 ? translateInvoice(answer.body) : null;
  if (handle === null) throw nonsense("paydunya", "get-invoice", answer);
  return ok({ handle });
}

async function submit(
  door: Door,
  request: PayoutRequest,
  handle: string | null,
): Promise<Result<PayoutAnswer, PayoutRefusal>> {
  assert(handle !== null, "a payout of PayDunya is submitted by its token");
  const submission = { disburse_invoice: handle, disburse_id: request.reference };
  const answer = await orNotTaken(door.client.submitInvoice(submission));
  if (answer instanceof NotTaken) {
    return refuse({ kind: "busy", retryAfterMs: waitOf(answer) });
  }
  if (saidNo(answer)) return confirmNo(door, handle, answer);
  const taken = answer.status < 300 ? translateSubmitted(answer.body, door.environment) : null;
  if (!taken) throw nonsense("paydunya", "submit-invoice", answer);
  return ok(taken);
}

/**
 * A no to `submit-invoice` may be said to a second submission of a payout already on its way, and
 * their codes are not published: the payout itself is asked before the no is believed. A reference
 * already submitted, and not by our token, cannot be asked about: nobody knows.
 */
async function confirmNo(
  door: Door,
  handle: string,
  no: HttpAnswer,
): Promise<Result<PayoutAnswer, PayoutRefusal>> {
  const payout = await check(door, handle);
  if (payout?.verdict === "sent" || payout?.verdict === "succeeded") return ok(payout);
  if (payout === null || saysAlreadySubmitted(no.body)) {
    throw nonsense("paydunya", "submit-invoice", no);
  }
  return refuse(translateDisburseRefusal(no.status, no.body));
}

async function check({ client, environment }: Door, handle: string): Promise<FetchedPayout | null> {
  const answer = await client.checkStatus(handle);
  if (saidNo(answer)) {
    // Keys that are refused say nothing of the payout.
    if (translateDisburseRefusal(answer.status, answer.body).kind === "keys") {
      throw new Outage("paydunya refuses the keys", { party: "paydunya", retryable: true });
    }
    return null;
  }
  const payout = answer.status < 300 ? translateStatus(answer.body, environment) : null;
  if (!payout) throw nonsense("paydunya", "check-status", answer);
  return payout;
}

function saidNo({ status, body }: HttpAnswer): boolean {
  return isExplicitNo(status) || (status < 300 && isNo(body));
}
