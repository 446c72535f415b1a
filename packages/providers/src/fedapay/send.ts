import { assert, ok, Outage, refuse, type Result } from "@sesame/kernel";
import {
  type HttpAnswer,
  isExplicitNo,
  nonsense,
  NotTaken,
  orNotTaken,
  waitOf,
} from "../http-client.ts";
import { readPayoutNumber } from "../payout-methods.ts";
import type { FetchedPayout, PayoutAnswer, PayoutRefusal, PayoutRequest } from "../payout-port.ts";
import type { Environment } from "../port.ts";
import type { FedapayClient } from "./client.ts";
import {
  type ModeSpellings,
  modeOf,
  translatePayout,
  translatePayouts,
  translateRefusal,
} from "./translate.ts";

export type FedapayDoor = {
  readonly client: FedapayClient;
  readonly environment: Environment;
  readonly spellings: ModeSpellings;
  byId(id: string): Promise<FetchedPayout | null>;
  byReference(reference: string): Promise<FetchedPayout | null>;
};

/**
 * Makes the payout that waits, or finds the one an earlier call made: `merchant_reference` is
 * unique, and how its second use is answered is not known (reference §5.8).
 */
export async function prepare(
  door: FedapayDoor,
  request: PayoutRequest,
): Promise<Result<{ handle: string }, PayoutRefusal>> {
  const written = writePayout(door, request);
  if (!written) return refuse({ kind: "request", message: null });
  const made = await door.client.createPayout(written).catch((error: unknown) => {
    if (error instanceof Outage && !(error instanceof NotTaken)) return error;
    throw error;
  });
  if (!(made instanceof Outage) && made.status < 300) {
    const payout = translatePayout(made.body, door.environment);
    if (!payout?.providerPayoutId) throw nonsense("fedapay", "payouts", made);
    return ok({ handle: payout.providerPayoutId });
  }
  const refusal = made instanceof Outage ? null : readRefusal(made);
  if (refusal?.kind === "keys") return refuse(refusal);
  const earlier = await door.byReference(request.reference);
  if (earlier?.providerPayoutId) {
    if (earlier.amount === request.amount) return ok({ handle: earlier.providerPayoutId });
    return refuse({ kind: "request", message: `${request.reference}: another amount` });
  }
  if (made instanceof Outage) throw made;
  return refuse(refusal ?? { kind: "request", message: null });
}

function readRefusal(answer: HttpAnswer): PayoutRefusal | null {
  // 409: no word of theirs, but a usual one for a reference already taken.
  if (!isExplicitNo(answer.status) && answer.status !== 409) {
    throw nonsense("fedapay", "payouts", answer);
  }
  return translateRefusal(answer.status, answer.body);
}

function writePayout(door: FedapayDoor, request: PayoutRequest): object | null {
  const mode = modeOf(request.method, door.spellings);
  const number = readPayoutNumber(request.method, request.phone);
  // Without a mode they answer 500 and say nothing (reference §5.6).
  if (mode === null || number === null) return null;
  return {
    amount: Number(request.amount),
    currency: { iso: "XOF" },
    mode,
    description: request.description,
    merchant_reference: request.reference,
    custom_metadata: { withdrawal_id: request.withdrawalId, reference: request.reference },
    customer: {
      firstname: request.recipient.firstName,
      lastname: request.recipient.lastName,
      email: request.recipient.email,
      phone_number: { number: number.e164, country: number.iso2 },
    },
  };
}

/** Starts the payout that waits: the money moves. */
export async function submit(
  door: FedapayDoor,
  handle: string | null,
): Promise<Result<PayoutAnswer, PayoutRefusal>> {
  assert(handle !== null, "a payout of FedaPay is started by its id");
  const answer = await orNotTaken(door.client.startPayout(handle));
  if (answer instanceof NotTaken) {
    return refuse({ kind: "busy", retryAfterMs: waitOf(answer) });
  }
  if (isExplicitNo(answer.status)) return confirmNo(door, handle, answer);
  const started = answer.status < 300 ? readStarted(answer.body, handle, door.environment) : null;
  if (!started) throw nonsense("fedapay", "payouts/start", answer);
  return ok(started);
}

/** Several may be started at once; ours is the one of that id, in whatever wrapping. */
function readStarted(body: unknown, id: string, environment: Environment): PayoutAnswer | null {
  const one = translatePayout(body, environment);
  const all = one ? [one] : (translatePayouts(body, environment)?.payouts ?? []);
  const ours = all.find((payout) => payout.providerPayoutId === id);
  if (!ours) return null;
  // They just took the order: `pending` here is an answer that is late.
  return ours.verdict === "not-started" ? { ...ours, verdict: "sent" } : ours;
}

/** A payout already on its way is not started twice: it is asked before the no is believed. */
async function confirmNo(
  door: FedapayDoor,
  handle: string,
  no: HttpAnswer,
): Promise<Result<PayoutAnswer, PayoutRefusal>> {
  const payout = await door.byId(handle);
  if (payout === null) throw nonsense("fedapay", "payouts/start", no);
  return payout.verdict === "not-started"
    ? refuse(translateRefusal(no.status, no.body))
    : ok(payout);
}
