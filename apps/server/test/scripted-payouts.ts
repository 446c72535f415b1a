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

/** `handles`: two steps, and a lookup by reference; without: found by the provider's id only. */
type ScriptOptions = { id: PayoutProviderId; handles: boolean; lists?: boolean; now(): Date };

/** A payout provider with a test's answers; it counts what it sent. */
export class ScriptedPayouts implements PayoutProvider {
  readonly id: PayoutProviderId;
  readonly list: PayoutProvider["list"];
  /** Each payout it was asked to send; a repeat with the same handle is still one. */
  readonly sendings: Sending[] = [];
  readonly calls: string[] = [];
  readonly faults = { prepare: [] as PayoutRefusal[], submit: [] as SubmitFault[] };
  /** The provider does not answer. */
  down = false;
  /** It finds nothing any more, not even a handle it gave. */
  forgetful = false;
  /** Awaited before a request arrives: a call can take as long as a test needs. */
  readonly gates: Promise<void>[] = [];
  environment: "live" | "sandbox" = "live";
  /** The final status of each new one, at once. */
  ends: ProviderPayoutStatus = "sent";
  private readonly options: ScriptOptions;
  private readonly known = new Set<string>();

  constructor(options: ScriptOptions) {
    this.id = options.id;
    this.options = options;
    this.list = options.lists ? async (since) => this.listSince(since) : null;
  }

  cannotServe(method: string, amount: Fcfa) {
    if (method === "expresso-senegal") return { kind: "method" } as const;
    return amount < 200n ? ({ kind: "amount", min: fcfa(200), max: null } as const) : null;
  }

  async prepare({ reference }: PayoutRequest) {
    this.calls.push(`prepare ${reference}`);
    if (this.down) throw this.silence();
    const fault = this.faults.prepare.shift();
    if (fault) return refuse(fault);
    if (!this.options.handles) return ok({ handle: null });
    this.known.add(`h-${reference}`);
    return ok({ handle: `h-${reference}` });
  }

  async submit(request: PayoutRequest, handle: string | null) {
    this.calls.push(`submit ${request.reference}`);
    const fault = this.faults.submit.shift();
    await this.gates.shift();
    if (this.down || fault === "lost-before") throw this.silence();
    if (fault !== undefined && fault !== "lost-after") return refuse(fault);
    const sending = this.accept(request, handle);
    if (fault) throw this.silence();
    return ok(this.report(sending));
  }

  async lookup({ reference, handle, providerPayoutId: id }: PayoutName) {
    this.calls.push(`lookup ${reference}`);
    if (this.down) throw this.silence();
    if (this.forgetful) return null;
    const isNamed = (each: Sending) =>
      id === null ? handle !== null && each.handle === handle : each.id === id;
    const sending = this.sendings.find(isNamed);
    if (sending) return this.report(sending);
    return handle !== null && this.known.has(handle) ? this.report(null, reference) : null;
  }

  readWebhook() {
    return { trusted: false } as const;
  }

  sendingOf(reference: string): Sending {
    const sending = this.sendings.find((each) => each.reference === reference);
    if (!sending) throw new Error(`${this.id} was never asked to send ${reference}`);
    return sending;
  }

  private silence(): Outage {
    return new Outage(`${this.id} did not answer`, { party: this.id, retryable: true });
  }

  /** The same handle again is the same payout; without handles each request is another. */
  private accept(request: PayoutRequest, handle: string | null): Sending {
    const before = this.sendings.find((each) => handle !== null && each.handle === handle);
    if (before) return before;
    const { reference, amount } = request;
    const sending: Sending = {
      id: `${this.id}-${this.sendings.length + 1}`,
      reference,
      handle,
      request,
      status: this.ends,
      amount,
      reportedReference: reference,
      cost: null,
      createdAt: this.options.now(),
    };
    this.sendings.push(sending);
    return sending;
  }

  /** Without a sending: one that was prepared and not submitted. */
  private report(
    sending: Sending | null,
    reference = sending?.reportedReference ?? null,
  ): FetchedPayout {
    const status = sending?.status ?? "not-started";
    return {
      status,
      providerPayoutId: sending?.id ?? null,
      word: sending?.status ?? "created",
      operatorReference: sending && status === "succeeded" ? `OP-${sending.id}` : null,
      failure: status === "failed" ? "the number is closed" : null,
      cost: sending?.cost ?? null,
      environment: this.environment,
      amount: sending?.amount ?? null,
      currency: sending ? "XOF" : null,
      reference,
    };
  }

  private listSince(since: Date): ListedPayout[] {
    return this.sendings
      .filter(({ createdAt }) => createdAt >= since)
      .map((sending) => ({ ...this.report(sending), createdAt: sending.createdAt }));
  }
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
