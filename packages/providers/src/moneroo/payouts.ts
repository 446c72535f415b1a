import { ok, refuse, type Result } from "@sesame/kernel";
import { isExplicitNo, nonsense, NotTaken, orNotTaken, waitOf } from "../http-client.ts";
import { readPayoutNumber, refuseAmount, termsOf } from "../payout-methods.ts";
import type {
  FetchedPayout,
  PayoutAnswer,
  PayoutProvider,
  PayoutRefusal,
  PayoutRequest,
} from "../payout-port.ts";
import {
  createMonerooClient,
  type MonerooClient,
  type MonerooOptions,
  isSignature,
  isSigned,
} from "./client.ts";
import {
  translateInitialized,
  translatePayout,
  translatePayoutNotice,
  translatePayoutRefusal,
} from "./payouts-translate.ts";

/** Nobody waits on a screen, and an answer missed costs an agent's time: longer than a payment's. */
const TIMEOUT_MS = 15_000;

/** No minimum or maximum is documented: they depend on the gateway behind (reference §4.10). */
const LIMITS = { min: 1, max: null };

/**
 * Moneroo's payouts behind the port. One step, no handle and no way to find a payout by our
 * reference: once the answer to `submit` is lost, only their notice or an agent can name it.
 */
export function createMonerooPayouts(options: MonerooOptions): PayoutProvider {
  const client = createMonerooClient({ timeoutMs: TIMEOUT_MS, ...options });
  return {
    id: "moneroo",
    cannotServe: (method, amount) =>
      !termsOf(method)?.moneroo ? { kind: "method" } : refuseAmount(amount, LIMITS),
    prepare: async (request) => {
      const written = writePayout(request);
      return written.ok ? ok({ handle: null }) : written;
    },
    submit: (request) => submit(client, request),
    lookup: async ({ providerPayoutId }) =>
      providerPayoutId === null ? null : fetchPayout(client, providerPayoutId),
    findsByReference: false,
    list: null,
    mayBeTrusted: (headers) => isSignature(headers["x-moneroo-signature"]),
    readNotice(headers, rawBody) {
      if (!isSigned(rawBody, headers["x-moneroo-signature"], options.webhookSecret)) {
        return { trusted: false };
      }
      const providerPayoutId = translatePayoutNotice(rawBody);
      return { trusted: true, providerPayoutId, handle: null, reference: null };
    },
  };
}

function writePayout(request: PayoutRequest): Result<object, PayoutRefusal> {
  const method = termsOf(request.method)?.moneroo;
  const number = readPayoutNumber(request.method, request.phone);
  if (!method || !number) return refuse({ kind: "request", message: null });
  return ok({
    amount: Number(request.amount),
    currency: "XOF",
    description: request.description,
    method,
    customer: {
      email: request.recipient.email,
      first_name: request.recipient.firstName,
      last_name: request.recipient.lastName,
    },
    recipient: { msisdn: number.digits },
    // String values only. With no look-up by reference, this is how a payout is known as ours.
    metadata: { withdrawal_id: request.withdrawalId, reference: request.reference },
  });
}

async function submit(
  client: MonerooClient,
  request: PayoutRequest,
): Promise<Result<PayoutAnswer, PayoutRefusal>> {
  const written = writePayout(request);
  if (!written.ok) return written;
  const answer = await orNotTaken(client.initializePayout(written.value));
  if (answer instanceof NotTaken) {
    return refuse({ kind: "busy", retryAfterMs: waitOf(answer) });
  }
  if (isExplicitNo(answer.status)) {
    return refuse(translatePayoutRefusal(answer.status, answer.body));
  }
  const taken = answer.status < 300 ? translateInitialized(answer.body) : null;
  if (!taken) throw nonsense("moneroo", "payouts/initialize", answer);
  return ok(taken);
}

async function fetchPayout(client: MonerooClient, id: string): Promise<FetchedPayout | null> {
  const answer = await client.verifyPayout(id);
  if (answer.status === 404) return null;
  const payout = answer.status === 200 ? translatePayout(answer.body) : null;
  if (!payout) throw nonsense("moneroo", "payouts/verify", answer);
  return payout;
}
