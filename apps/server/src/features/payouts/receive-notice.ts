import { createHash } from "node:crypto";
import type { Clock } from "@sesame/kernel";
import type { PayoutProvider } from "@sesame/providers";
import type { Db } from "../../postgres/database.ts";
import { storePayoutNotice } from "./notice.store.ts";

export type NoticeTaken = "payout" | "other" | "not-signed";

type NoticeHeaders = Parameters<PayoutProvider["readNotice"]>[0];

/**
 * A provider's notice (ARCHITECTURE §4): signature over the raw bytes, stored once, then answered.
 * What it says is never believed: it makes us look up. `other`: signed, and about no payout.
 */
export async function takePayoutNotice(
  deps: { readonly db: Db; readonly clock: Clock },
  provider: PayoutProvider,
  notice: { readonly headers: NoticeHeaders; readonly body: Buffer },
): Promise<NoticeTaken> {
  const reading = provider.readNotice(notice.headers, notice.body);
  if (!reading.trusted) return "not-signed";
  const { providerPayoutId, handle, reference } = reading;
  if (providerPayoutId === null && handle === null && reference === null) return "other";
  await storePayoutNotice(deps.db, {
    provider: provider.id,
    providerPayoutId,
    handle,
    reference,
    bodyHash: createHash("sha256").update(notice.body).digest(),
    body: Buffer.from(provider.withoutProof?.(notice.body) ?? notice.body),
    receivedAt: deps.clock.now(),
  });
  return "payout";
}
