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
  /** Takes a notice about something else than a payment; false when it is none of that. */
  takeAside?(notice: { headers: NoticeHeaders; body: Buffer }): Promise<boolean>;
};

/**
 * A provider's notice (ARCHITECTURE §4): its signature is checked over the raw bytes, it is stored
 * with those that came at the same time, and only then answered. What it says is never believed:
 * it makes us ask. → false when it is not signed.
 */
export async function receiveNotice(
  { clock, batcher }: NoticeDeps,
  account: { readonly provider: PaymentProvider; readonly keyId: bigint | null },
  { headers, rawBody, takeAside }: Notice,
): Promise<boolean> {
  const reading = account.provider.readNotice(headers, rawBody);
  if (!reading.trusted) return false;
  const { heard = null } = reading;
  const providerPaymentId = reading.providerPaymentId ?? heard?.reference ?? null;
  const isPayment = providerPaymentId !== null;
  if (!isPayment && (await takeAside?.({ headers, body: rawBody }))) return true;
  await batcher.submit({
    provider: account.provider.id,
    keyId: account.keyId,
    providerPaymentId,
    heard: heard?.transactionId ?? null,
    body: rawBody,
    receivedAt: clock.now(),
  });
  return true;
}
