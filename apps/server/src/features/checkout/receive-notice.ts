import type { NoticeHeaders, PaymentProvider } from "@sesame/providers";
import type { Clock } from "@sesame/kernel";
import type { Batcher } from "../../jobs/batcher.ts";
import type { NewNotice } from "./notice.store.ts";

export type NoticeDeps = {
  readonly clock: Clock;
  readonly provider: PaymentProvider;
  readonly batcher: Pick<Batcher<NewNotice>, "submit">;
  /** Takes a notice about something else than a payment; false when it is none of that. */
  takeAside?(notice: { headers: NoticeHeaders; body: Buffer }): Promise<boolean>;
};

/**
 * A provider's notice (ARCHITECTURE §4): its signature is checked over the raw bytes, it is stored
 * with those that came at the same time, and only then answered. What it says is never believed:
 * it makes us ask. → false when it is not signed.
 */
export async function receiveNotice(
  deps: NoticeDeps,
  headers: NoticeHeaders,
  rawBody: Buffer,
): Promise<boolean> {
  const reading = deps.provider.readNotice(headers, rawBody);
  if (!reading.trusted) return false;
  const isPayment = reading.providerPaymentId !== null;
  if (!isPayment && (await deps.takeAside?.({ headers, body: rawBody }))) return true;
  await deps.batcher.submit({
    provider: deps.provider.id,
    providerPaymentId: reading.providerPaymentId,
    body: rawBody,
    receivedAt: deps.clock.now(),
  });
  return true;
}
