import { createHash } from "node:crypto";
import type { Clock } from "@sesame/kernel";
import type { NoticeHeaders, PaymentProvider } from "@sesame/providers";
import type { Batcher } from "../../jobs/batcher.ts";
import type { NewNotice } from "./notice.store.ts";

export type NoticeDeps = {
  readonly clock: Clock;
  readonly batcher: Pick<Batcher<NewNotice>, "submit">;
};

export type Notice = {
  readonly headers: NoticeHeaders;
  readonly rawBody: Buffer;
  /** Asked of a signed one: false when its account has sent too many. */
  mayStore(): boolean;
  /** Takes a notice about something else than a payment; false when it is none of that. */
  takeAside?(notice: { headers: NoticeHeaders; body: Buffer }): Promise<boolean>;
};

export type NoticeOutcome = "taken" | "not-signed" | "too-many";

/**
 * A provider's notice (ARCHITECTURE §4): its signature is checked over the raw bytes, it is stored
 * with those that came at the same time, and only then answered. What it says is never believed:
 * it makes us ask.
 */
export async function receiveNotice(
  { clock, batcher }: NoticeDeps,
  account: { readonly provider: PaymentProvider; readonly keyId: bigint | null },
  { headers, rawBody, mayStore, takeAside }: Notice,
): Promise<NoticeOutcome> {
  const { provider, keyId } = account;
  const reading = provider.readNotice(headers, rawBody);
  if (!reading.trusted) return "not-signed";
  if (!mayStore()) return "too-many";
  const { heard = null } = reading;
  const providerPaymentId = reading.providerPaymentId ?? heard?.reference ?? null;
  const isPayment = providerPaymentId !== null;
  if (!isPayment && (await takeAside?.({ headers, body: rawBody }))) return "taken";
  await batcher.submit({
    provider: provider.id,
    keyId,
    providerPaymentId,
    heard: heard?.transactionId ?? null,
    bodyHash: createHash("sha256").update(rawBody).digest("hex"),
    body: provider.withoutProof ? Buffer.from(provider.withoutProof(rawBody)) : rawBody,
    receivedAt: clock.now(),
  });
  return "taken";
}
