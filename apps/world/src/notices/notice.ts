import type { NoticeView } from "../wire.ts";

/** What a provider has told, or will tell, the app. */
export type Notice = {
  id: number;
  event: string;
  /** Of the payment, or of the payout. */
  paymentId: string;
  /** Where to; null: the address given in the provider's dashboard. */
  url: string | null;
  /** Exactly the bytes that are signed and sent. */
  body: string;
  /** Whose secret signs it, where a provider has accounts besides the app's own. */
  account?: string;
  /** Signed with another secret. */
  forged: boolean;
  state: NoticeView["state"];
  tries: number;
  lastAnswer: string | null;
  dueAtMs: number;
};

/** The oldest finished ones are forgotten. */
export type NoticeBook = { notices: Notice[]; nextNoticeId: number };

const KEPT_NOTICES = 400;

export function recordNotice(
  book: NoticeBook,
  made: Pick<Notice, "event" | "paymentId" | "url" | "body" | "forged" | "account">,
  nowMs: number,
): Notice {
  const notice: Notice = {
    ...made,
    id: book.nextNoticeId++,
    state: "held",
    tries: 0,
    lastAnswer: null,
    dueAtMs: nowMs,
  };
  book.notices.push(notice);
  if (book.notices.length > KEPT_NOTICES) {
    const oldest = book.notices.findIndex(({ state: at }) => at !== "held" && at !== "sending");
    if (oldest >= 0) book.notices.splice(oldest, 1);
  }
  return notice;
}

export function noticeView(notice: Notice): NoticeView {
  const { id, event, paymentId, state, tries, lastAnswer, dueAtMs } = notice;
  const dueAt = new Date(dueAtMs).toISOString();
  return { id, event, paymentId, state, tries, lastAnswer, dueAt };
}
