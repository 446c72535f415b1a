import { MINUTE_MS } from "@sesame/kernel";
import { type NoticeSender, startNotices } from "../notices/sender.ts";
import type { NoticeWorld } from "../notices/sender.ts";
import type { Payout } from "../payouts/state.ts";
import { noticeBody, payoutNoticeBody, sign } from "./notice-body.ts";
import type { Payment } from "./state.ts";

/** Moneroo's notices: exactly 200 within 3 s, three more tries (payment-providers.md §4.6). */
export type MonerooNotices = Omit<NoticeSender, "announce"> & {
  announce(payment: Payment, event: string): void;
  announcePayout(payout: Payout, event: string): void;
};

const RETRY_EVERY_MS = 10 * MINUTE_MS;

export function startMonerooNotices(
  world: NoticeWorld & { notifyUrl(): string; secret: string },
): MonerooNotices {
  const sender = startNotices(world, {
    timeoutMs: 3_000,
    pausesMs: [RETRY_EVERY_MS, RETRY_EVERY_MS, RETRY_EVERY_MS],
    accepts: (status) => status === 200,
    headers: ({ body, forged }) => ({
      "content-type": "application/json",
      "x-moneroo-signature": sign(body, forged ? `${world.secret}-forged` : world.secret),
    }),
    url: world.notifyUrl,
  });
  const { mode } = sender;
  const tell = (event: string, paymentId: string, body: string) =>
    sender.announce({ event, paymentId, url: null, body });
  return {
    ...sender,
    announce: (payment, event) =>
      tell(event, payment.id, noticeBody(payment, event, mode.unusualSpacing)),
    announcePayout: (payout, event) =>
      tell(event, payout.id, payoutNoticeBody(payout, event, mode.unusualSpacing)),
  };
}
