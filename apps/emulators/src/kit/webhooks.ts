import type { NoticeMode, NoticeView } from "../wire.ts";
import { type Accounts, MAIN } from "./accounts.ts";
import type { Place } from "./provider.ts";

/** What a provider has told, or will tell, the app. */
export type Notice = NoticeView & {
  /** Where to; null: the address given in the provider's dashboard. */
  url: string | null;
  /** Exactly the bytes that are signed and sent. */
  body: string;
  /** Whose secret signs it. */
  account: string;
  /** Signed with another secret. */
  forged: boolean;
};

export type NoticeBook = { notices: Notice[]; nextNoticeId: number };

/** Notices as tests and the control panel hold them. */
export type NoticeDesk = {
  readonly notices: NoticeMode;
  noticeViews(): NoticeView[];
  repeatNotice(id: number): NoticeView | null;
};

export const NORMAL_NOTICES: NoticeMode = {
  drop: false,
  delayMs: 0,
  copies: 1,
  forgeSignature: false,
  unusualSpacing: false,
};

/** The oldest finished ones are forgotten. */
const KEPT_NOTICES = 400;

type Made = Pick<Notice, "event" | "paymentId" | "body"> & {
  url?: string | null;
  account?: string;
};

function recordNotice(
  book: NoticeBook,
  { url = null, account = MAIN, ...made }: Made & { forged: boolean },
  nowMs: number,
): Notice {
  const id = book.nextNoticeId++;
  const fresh = { id, state: "held", tries: 0, lastAnswer: null, dueAtMs: nowMs } as const;
  const notice: Notice = { ...made, url, account, ...fresh };
  book.notices.push(notice);
  if (book.notices.length > KEPT_NOTICES) {
    const oldest = book.notices.findIndex(({ state: at }) => at !== "held" && at !== "sending");
    if (oldest >= 0) book.notices.splice(oldest, 1);
  }
  return notice;
}

function noticeView(notice: Notice): NoticeView {
  const { id, event, paymentId, state, tries, lastAnswer, dueAtMs } = notice;
  return { id, event, paymentId, state, tries, lastAnswer, dueAtMs };
}

type Habits = {
  book: NoticeBook;
  /** Pauses before each further try; after the last one it gives up. */
  pausesMs: readonly number[];
  /** Any 2xx, unless told otherwise. */
  accepts?(status: number): boolean;
  write?(content: object): string;
  gaveUp?(notice: Notice): void;
};

type Announced = Omit<Made, "body"> & { body: object | string };

/** Tells what happened, as often and as late as it is set, and tries again until it is heard. */
export function startNotices(
  { clock, scheduler, changed }: Pick<Place, "clock" | "scheduler" | "changed">,
  habits: Habits & {
    /** Tells it once; gives the answer's status, or why there is none. */
    tell(notice: Notice): string | Promise<string>;
  },
) {
  const { book, pausesMs, write = JSON.stringify } = habits;
  const accepts = habits.accepts ?? ((status: number) => status >= 200 && status < 300);
  const mode = { ...NORMAL_NOTICES };
  const stop = new AbortController();
  const nowMs = () => clock.now().getTime();

  const attempt = (notice: Notice): void => {
    if (stop.signal.aborted || notice.state === "sending") return;
    notice.state = "sending";
    notice.tries += 1;
    const answer = habits.tell(notice);
    if (typeof answer === "string") heard(notice, answer);
    else void answer.then((status) => heard(notice, status));
  };
  const heard = (notice: Notice, answer: string) => {
    if (stop.signal.aborted) {
      // Not known to have arrived: the next start sends it again.
      notice.state = "held";
      return;
    }
    notice.lastAnswer = answer;
    const pauseMs = pausesMs[notice.tries - 1];
    if (accepts(Number(answer))) notice.state = "delivered";
    else if (pauseMs !== undefined) hold(notice, nowMs() + pauseMs);
    else {
      notice.state = "failed";
      habits.gaveUp?.(notice);
    }
    changed();
  };
  const hold = (notice: Notice, dueAtMs: number) => {
    notice.state = "held";
    notice.dueAtMs = dueAtMs;
    scheduler.at(dueAtMs, () => {
      if (notice.state === "held") attempt(notice);
    });
  };
  const dispatch = (notice: Notice) => {
    if (mode.drop) notice.state = "dropped";
    else if (mode.delayMs > 0) hold(notice, nowMs() + mode.delayMs);
    else attempt(notice);
  };
  for (const notice of book.notices) {
    if (notice.state === "held" || notice.state === "sending") hold(notice, notice.dueAtMs);
  }
  const desk: NoticeDesk = {
    notices: mode,
    noticeViews: () => book.notices.map(noticeView),
    repeatNotice(id) {
      const past = book.notices.find((notice) => notice.id === id);
      if (past === undefined) return null;
      const notice = recordNotice(book, past, nowMs());
      attempt(notice);
      changed();
      return noticeView(notice);
    },
  };
  return {
    desk,
    stop,
    announce({ body: content, ...made }: Announced): void {
      const spaced = mode.unusualSpacing ? spacedOut : write;
      const body = typeof content === "string" ? content : spaced(content);
      for (let copy = 0; copy < Math.max(1, mode.copies); copy++) {
        dispatch(recordNotice(book, { ...made, body, forged: mode.forgeSignature }, nowMs()));
      }
      changed();
    },
  };
}

/** What differs from one provider's webhook to the next. */
export type WebhookHabits<K> = Habits & {
  accounts: Accounts<K>;
  timeoutMs: number;
  /** By which an account's notices are proved. */
  secret(keys: K): string;
  /** Made anew at each try: FedaPay signs the instant too. */
  headers(body: string, secret: string, at: Date): Record<string, string>;
};

export type Webhook = NoticeDesk & {
  /** Unless it names its address, the account's is meant; without any, nothing is told. */
  announce(made: Announced): void;
  close(): void;
};

/** Sends a provider's notices and tries again, as that provider does. */
export function startWebhook<K>(place: Place, habits: WebhookHabits<K>): Webhook {
  const { accounts } = habits;
  const { desk, announce, stop } = startNotices(place, {
    ...habits,
    async tell({ account: id, body, forged, url: named }) {
      const account = accounts.get(id);
      const address = account?.noticeUrl ?? "";
      const secret = account === undefined ? "" : habits.secret(account.keys);
      try {
        const answer = await fetch(named ?? (id === MAIN ? address : place.near(address)), {
          method: "POST",
          redirect: "manual",
          signal: AbortSignal.any([stop.signal, AbortSignal.timeout(habits.timeoutMs)]),
          headers: {
            "content-type": "application/json",
            ...habits.headers(body, forged ? `${secret}-forged` : secret, place.clock.now()),
          },
          body,
        });
        await answer.arrayBuffer();
        return String(answer.status);
      } catch (error) {
        const timedOut = error instanceof DOMException && error.name === "TimeoutError";
        return timedOut ? "timeout" : "no answer";
      }
    },
  });
  return {
    ...desk,
    announce(made) {
      if (made.url || accounts.get(made.account ?? MAIN)?.noticeUrl) announce(made);
    },
    close: () => stop.abort(),
  };
}

/** Spaces and escapes that mean the same: a slash with a backslash, a letter by its number. */
function spacedOut(content: object): string {
  const spaced = JSON.stringify(content, null, 3);
  const escaped = spaced.replaceAll("/", "\\/").replace(/[\u0080-\uffff]/g, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  return ` ${escaped}\n`;
}
