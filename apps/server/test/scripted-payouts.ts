import { createHash } from "node:crypto";
import { type Clock, type Fcfa, fcfa, ok, Outage, refuse } from "@sesame/kernel";
import type {
  FetchedPayout,
  ListedPayout,
  PayoutName,
  PayoutProvider,
  PayoutProviderId,
  PayoutRefusal,
  PayoutRequest,
  ProviderPayoutStatus,
} from "@sesame/providers";
import { storePayoutWebhook } from "../src/features/treasury/webhooks.ts";
import type { Db } from "../src/postgres/database.ts";

/** The answer to the next call, instead of a success. */
export type SubmitFault =
  | PayoutRefusal
  /** The connection breaks before the request arrives, or after the provider accepted it. */
  | "lost-before"
  | "lost-after";

export type Sending = {
  readonly id: string;
  readonly reference: string;
  readonly handle: string | null;
  readonly request: PayoutRequest;
  status: ProviderPayoutStatus;
  amount: Fcfa;
  /** The reference as the provider reports it. */
  reportedReference: string | null;
  cost: Fcfa | null;
  readonly createdAt: Date;
};

/** A payout provider with a test's answers; it counts what it sent. */
export type ScriptedPayouts = PayoutProvider & {
  /** Each payout it was asked to send; a repeat with the same handle is still one. */
  readonly sendings: Sending[];
  readonly calls: string[];
  faults: { prepare: PayoutRefusal[]; submit: SubmitFault[] };
  /** The provider does not answer. */
  down: boolean;
  /** It finds nothing any more, not even a handle it gave. */
  forgetful: boolean;
  /** Awaited before a request arrives: a call can take as long as a test needs. */
  gates: Promise<void>[];
  environment: "live" | "sandbox";
  sendingOf(reference: string): Sending;
  /** The final status of each new one, at once. */
  ends: ProviderPayoutStatus;
};

/** `handles`: two steps, and a lookup by reference; without: found by the provider's id only. */
type ScriptOptions = { id: PayoutProviderId; handles: boolean; lists?: boolean; now(): Date };

export function scriptPayouts(options: ScriptOptions): ScriptedPayouts {
  const { id, handles, now } = options;
  const sendings: Sending[] = [];
  const known = new Set<string>();
  const script: ScriptedPayouts = {
    id,
    sendings,
    calls: [],
    faults: { prepare: [], submit: [] },
    down: false,
    forgetful: false,
    gates: [],
    environment: "live",
    ends: "sent",
    cannotServe: (method, amount) => {
      if (method === "expresso-senegal") return { kind: "method" };
      return amount < 200n ? { kind: "amount", min: fcfa(200), max: null } : null;
    },
    async prepare(request) {
      script.calls.push(`prepare ${request.reference}`);
      if (script.down) throw silence(id);
      const fault = script.faults.prepare.shift();
      if (fault) return refuse(fault);
      if (!handles) return ok({ handle: null });
      known.add(`h-${request.reference}`);
      return ok({ handle: `h-${request.reference}` });
    },
    async submit(request, handle) {
      script.calls.push(`submit ${request.reference}`);
      const fault = script.faults.submit.shift();
      await script.gates.shift();
      if (script.down || fault === "lost-before") throw silence(id);
      if (fault !== undefined && fault !== "lost-after") return refuse(fault);
      const sending = accept(script, { request, handle, now: now() });
      if (fault) throw silence(id);
      return ok(report(script, sending));
    },
    async lookup(name) {
      script.calls.push(`lookup ${name.reference}`);
      if (script.down) throw silence(id);
      if (script.forgetful) return null;
      const sending = sendings.find((each) => isNamed(each, name));
      if (sending) return report(script, sending);
      if (name.handle === null || !known.has(name.handle)) return null;
      return notStarted(script, name);
    },
    list: options.lists ? async (since) => listSince(script, since) : null,
    readWebhook: () => ({ trusted: false }),
    sendingOf(reference) {
      const sending = sendings.find((each) => each.reference === reference);
      if (!sending) throw new Error(`${id} was never asked to send ${reference}`);
      return sending;
    },
  };
  return script;
}

const silence = (party: string): Outage =>
  new Outage(`${party} did not answer`, { party, retryable: true });

/** The same handle again is the same payout; without handles each request is another. */
function accept(
  script: ScriptedPayouts,
  order: { request: PayoutRequest; handle: string | null; now: Date },
): Sending {
  const { request, handle, now } = order;
  const before = script.sendings.find((each) => handle !== null && each.handle === handle);
  if (before) return before;
  const { reference, amount } = request;
  const id = `${script.id}-${script.sendings.length + 1}`;
  const sending: Sending = {
    id,
    reference,
    handle,
    request,
    status: script.ends,
    amount,
    reportedReference: reference,
    cost: null,
    createdAt: now,
  };
  script.sendings.push(sending);
  return sending;
}

function isNamed(sending: Sending, name: PayoutName): boolean {
  if (name.providerPayoutId !== null) return sending.id === name.providerPayoutId;
  return name.handle !== null && sending.handle === name.handle;
}

function report(script: ScriptedPayouts, sending: Sending): FetchedPayout {
  const { status } = sending;
  return {
    status,
    providerPayoutId: sending.id,
    word: status,
    operatorReference: status === "succeeded" ? `OP-${sending.id}` : null,
    failure: status === "failed" ? "the number is closed" : null,
    cost: sending.cost,
    environment: script.environment,
    amount: sending.amount,
    currency: "XOF",
    reference: sending.reportedReference,
  };
}

function notStarted(script: ScriptedPayouts, name: PayoutName): FetchedPayout {
  return {
    status: "not-started",
    providerPayoutId: null,
    word: "created",
    operatorReference: null,
    failure: null,
    cost: null,
    environment: script.environment,
    amount: null,
    currency: null,
    reference: name.reference,
  };
}

function listSince(script: ScriptedPayouts, since: Date): ListedPayout[] {
  return script.sendings
    .filter(({ createdAt }) => createdAt >= since)
    .map((sending) => ({ ...report(script, sending), createdAt: sending.createdAt }));
}

/** Stores a webhook of the provider about a payout, with new content. */
export async function receive(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  provider: PayoutProvider,
  { id, words }: { readonly id: string; readonly words: string | number },
): Promise<void> {
  const body = Buffer.from(`${id} ${words}`);
  await storePayoutWebhook(db, {
    provider: provider.id,
    providerPayoutId: id,
    handle: null,
    reference: null,
    bodyHash: createHash("sha256").update(body).digest(),
    body,
    receivedAt: clock.now(),
  });
}
