import type { Clock } from "@sesame/kernel";
import type { Scheduler } from "../scheduler.ts";
import type { NoticeMode } from "../wire.ts";
import { type Notice, type NoticeBook, recordNotice } from "./notice.ts";

/** Sends a provider's notices and tries again, as that provider does. */
export type NoticeSender = {
  readonly mode: NoticeMode;
  announce(notice: Announcement): void;
  repeat(noticeId: number): Notice | null;
  /** Sends at once what waits; gives how many. */
  release(): number;
  close(): void;
};

export type Announcement = Pick<Notice, "event" | "paymentId" | "url" | "body" | "account">;

/** What differs from one provider to the next. */
export type NoticeHabits = {
  /** How long it waits for the answer. */
  timeoutMs: number;
  /** Pauses before each further try; after the last one it gives up. */
  pausesMs: readonly number[];
  accepts(status: number): boolean;
  /** Made anew at each try: FedaPay signs the instant too. */
  headers(notice: Notice, at: Date): Record<string, string>;
  /** Where notices without an address of their own go. */
  url(): string;
  /** A notice was given up. */
  gaveUp?(notice: Notice): void;
};

export const NORMAL_NOTICES: NoticeMode = {
  drop: false,
  delayMs: 0,
  copies: 1,
  reorder: false,
  forgeSignature: false,
  unusualSpacing: false,
};

/** A swapped notice waits for its neighbour no longer than this. */
const SWAP_PATIENCE_MS = 2_000;

export type NoticeWorld = {
  book: NoticeBook;
  clock: Clock;
  scheduler: Scheduler;
  changed(): void;
};

type Sender = NoticeWorld & {
  habits: NoticeHabits;
  mode: NoticeMode;
  stop: AbortController;
  /** Lets the next one pass first. */
  swapped: Notice | null;
};

export function startNotices(world: NoticeWorld, habits: NoticeHabits): NoticeSender {
  const { book, clock } = world;
  const mode = { ...NORMAL_NOTICES };
  const sender: Sender = { ...world, habits, mode, stop: new AbortController(), swapped: null };
  for (const notice of book.notices) {
    if (notice.state === "held" || notice.state === "sending") hold(sender, notice, notice.dueAtMs);
  }
  return {
    mode,
    announce(made) {
      for (let copy = 0; copy < Math.max(1, mode.copies); copy++) {
        const content = { ...made, forged: mode.forgeSignature };
        dispatch(sender, recordNotice(book, content, clock.now().getTime()));
      }
      world.changed();
    },
    repeat(noticeId) {
      const past = book.notices.find((notice) => notice.id === noticeId);
      if (past === undefined) return null;
      const { event, paymentId, url, body, forged, account } = past;
      const whose = account === undefined ? {} : { account };
      const again = { event, paymentId, url, body, forged, ...whose };
      const notice = recordNotice(book, again, clock.now().getTime());
      void attempt(sender, notice);
      world.changed();
      return notice;
    },
    release() {
      const held = book.notices.filter((notice) => notice.state === "held");
      for (const notice of held) void attempt(sender, notice);
      return held.length;
    },
    close: () => sender.stop.abort(),
  };
}

function dispatch(sender: Sender, notice: Notice): void {
  const { mode, clock, scheduler } = sender;
  const nowMs = clock.now().getTime();
  if (mode.drop) notice.state = "dropped";
  else if (mode.delayMs > 0) hold(sender, notice, nowMs + mode.delayMs);
  else if (mode.reorder && sender.swapped === null) {
    sender.swapped = notice;
    scheduler.at(nowMs + SWAP_PATIENCE_MS, () => sendSwapped(sender));
  } else {
    void attempt(sender, notice);
    sendSwapped(sender);
  }
}

function sendSwapped(sender: Sender): void {
  const held = sender.swapped;
  sender.swapped = null;
  if (held?.state === "held") void attempt(sender, held);
}

function hold(sender: Sender, notice: Notice, dueAtMs: number): void {
  notice.state = "held";
  notice.dueAtMs = dueAtMs;
  sender.scheduler.at(dueAtMs, () => {
    if (notice.state === "held") void attempt(sender, notice);
  });
}

async function attempt(sender: Sender, notice: Notice): Promise<void> {
  const { habits } = sender;
  const { signal } = sender.stop;
  if (signal.aborted || notice.state === "sending") return;
  notice.state = "sending";
  notice.tries += 1;
  const answer = await post(sender, notice, signal);
  if (signal.aborted) {
    // Not known to have arrived: the next start sends it again.
    notice.state = "held";
    return;
  }
  notice.lastAnswer = answer;
  const pauseMs = habits.pausesMs[notice.tries - 1];
  if (habits.accepts(Number(answer))) notice.state = "delivered";
  else if (pauseMs !== undefined) hold(sender, notice, sender.clock.now().getTime() + pauseMs);
  else {
    notice.state = "failed";
    habits.gaveUp?.(notice);
  }
  sender.changed();
}

async function post(sender: Sender, notice: Notice, stop: AbortSignal): Promise<string> {
  const { habits, clock } = sender;
  try {
    const answer = await fetch(notice.url ?? habits.url(), {
      method: "POST",
      redirect: "manual",
      signal: AbortSignal.any([stop, AbortSignal.timeout(habits.timeoutMs)]),
      headers: habits.headers(notice, clock.now()),
      body: notice.body,
    });
    await answer.arrayBuffer();
    return String(answer.status);
  } catch (error) {
    const timedOut = error instanceof DOMException && error.name === "TimeoutError";
    return timedOut ? "timeout" : "no answer";
  }
}
