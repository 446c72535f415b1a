import { createHash } from "node:crypto";
import type { PayoutProvider } from "@sesame/providers";
import type { App } from "../../app.ts";
import { storePayoutNotice } from "./notice.store.ts";

type NoticeTaken = "payout" | "other" | "not-signed";

type Notice = {
  readonly headers: Parameters<PayoutProvider["readNotice"]>[0];
  readonly body: Buffer;
};

/** Whether a notice that came by a door for payments was about a payout, and was taken. */
export async function takeNotice(app: App, provider: string, notice: Notice): Promise<boolean> {
  const lane = app.payoutProviders.find(({ id }) => id === provider);
  return lane !== undefined && (await takePayoutNotice(app, lane, notice)) === "payout";
}

/**
 * A provider's notice (ARCHITECTURE §4): signature over the raw bytes, stored once, then answered.
 * What it says is never believed: it makes us look up. `other`: signed, and about no payout.
 */
export async function takePayoutNotice(
  app: App,
  provider: PayoutProvider,
  notice: Notice,
): Promise<NoticeTaken> {
  const reading = provider.readNotice(notice.headers, notice.body);
  if (!reading.trusted) return "not-signed";
  const { providerPayoutId, handle, reference } = reading;
  if (providerPayoutId === null && handle === null && reference === null) return "other";
  await storePayoutNotice(app.db, {
    provider: provider.id,
    providerPayoutId,
    handle,
    reference,
    bodyHash: createHash("sha256").update(notice.body).digest(),
    body: Buffer.from(provider.withoutProof?.(notice.body) ?? notice.body),
    receivedAt: app.clock.now(),
  });
  return "payout";
}
