import { MINUTE_MS } from "@sesame/kernel";
import type { Notice } from "../notices/notice.ts";
import { type NoticeSender, startNotices } from "../notices/sender.ts";
import type { NoticeWorld } from "../notices/sender.ts";
import type { Merchants } from "../payments/merchants.ts";
import type { Payout } from "../payouts/state.ts";
import { noticeBody, payoutNoticeBody, sign } from "./notice-body.ts";
import type { MonerooKeys, Payment } from "./state.ts";

/** Moneroo's notices: exactly 200 within 3 s, three more tries (payment-providers.md §4.6). */
export type MonerooNotices = Omit<NoticeSender, "announce"> & {
  announce(payment: Payment, event: string): void;
  announcePayout(payout: Payout, event: string): void;
};

const RETRY_EVERY_MS = 10 * MINUTE_MS;

export function startMonerooNotices(
  world: NoticeWorld & { notifyUrl(): string; merchants: Merchants<MonerooKeys> },
): MonerooNotices {
  const { merchants } = world;
  const secretOf = ({ account, forged }: Notice) => {
    const secret = merchants.get(account)?.keys.webhookSecret ?? "";
    return forged ? `${secret}-forged` : secret;
  };
  const sender = startNotices(world, {
    timeoutMs: 3_000,
    pausesMs: [RETRY_EVERY_MS, RETRY_EVERY_MS, RETRY_EVERY_MS],
    accepts: (status) => status === 200,
    headers: (notice) => ({
      "content-type": "application/json",
      "x-moneroo-signature": sign(notice.body, secretOf(notice)),
    }),
    url: world.notifyUrl,
  });
  const { mode } = sender;
  return {
    ...sender,
    announce(payment, event) {
      const { id, account } = payment;
      const body = noticeBody(payment, event, mode.unusualSpacing);
      if (account === undefined) {
        sender.announce({ event, paymentId: id, url: null, body });
        return;
      }
      const url = merchants.get(account)?.noticeUrl;
      if (url) sender.announce({ event, paymentId: id, url, body, account });
    },
    announcePayout(payout, event) {
      const body = payoutNoticeBody(payout, event, mode.unusualSpacing);
      sender.announce({ event, paymentId: payout.id, url: null, body });
    },
  };
}
