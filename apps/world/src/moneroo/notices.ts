import { type Clock, MINUTE_MS } from "@sesame/kernel";
import type { Scheduler } from "../scheduler.ts";
import type { MonerooNoticeMode, NoticeView } from "../wire.ts";
import { noticeBody, sign } from "./notice-body.ts";
import type { MonerooState, Notice, Payment } from "./state.ts";

/** Sends signed notices and tries again (payment-providers.md §4.6). */
export type NoticeSender = {
  readonly mode: MonerooNoticeMode;
  announce(payment: Payment, event: string): void;
  repeat(noticeId: number): Notice | null;
  /** Sends at once what waits; gives how many. */
  release(): number;
  close(): void;
};

export const NORMAL_NOTICES: MonerooNoticeMode = {
  drop: false,
  delayMs: 0,
  copies: 1,
  reorder: false,
  forgeSignature: false,
  unusualSpacing: false,
};

const ANSWER_TIMEOUT_MS = 3_000;
const RETRIES = 3;
const RETRY_EVERY_MS = 10 * MINUTE_MS;
/** A swapped notice waits for its neighbour no longer than this. */
const SWAP_PATIENCE_MS = 2_000;
const KEPT_NOTICES = 400;

type NoticeWorld = {
  state: MonerooState;
  clock: Clock;
  scheduler: Scheduler;
  notifyUrl(): string;
  secret: string;
  changed(): void;
};

type Sender = NoticeWorld & {
  mode: MonerooNoticeMode;
  stop: AbortController;
  /** Lets the next one pass first. */
  swapped: Notice | null;
};

export function startNotices(world: NoticeWorld): NoticeSender {
  const { state } = world;
  const mode = { ...NORMAL_NOTICES };
  const sender: Sender = { ...world, mode, stop: new AbortController(), swapped: null };
  for (const notice of state.notices) {
    if (notice.state === "held" || notice.state === "sending") hold(sender, notice, notice.dueAtMs);
  }
  return {
    mode,
    announce(payment, event) {
      const body = noticeBody(payment, event, mode.unusualSpacing);
      const signature = sign(body, mode.forgeSignature ? `${world.secret}-forged` : world.secret);
      for (let copy = 0; copy < Math.max(1, mode.copies); copy++) {
        dispatch(sender, record(sender, { event, paymentId: payment.id, body, signature }));
      }
      world.changed();
    },
    repeat(noticeId) {
      const past = state.notices.find((notice) => notice.id === noticeId);
      if (past === undefined) return null;
      const { event, paymentId, body, signature } = past;
      const notice = record(sender, { event, paymentId, body, signature });
      void attempt(sender, notice);
      world.changed();
      return notice;
    },
    release() {
      const held = state.notices.filter((notice) => notice.state === "held");
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
  if (answer === "200") notice.state = "delivered";
  else if (notice.tries > RETRIES) notice.state = "failed";
  else hold(sender, notice, sender.clock.now().getTime() + RETRY_EVERY_MS);
  sender.changed();
}

function record(
  world: NoticeWorld,
  made: Pick<Notice, "event" | "paymentId" | "body" | "signature">,
): Notice {
  const { state } = world;
  const dueAtMs = world.clock.now().getTime();
  const notice: Notice = {
    ...made,
    id: state.nextNoticeId++,
    state: "held",
    tries: 0,
    lastAnswer: null,
    dueAtMs,
  };
  state.notices.push(notice);
  if (state.notices.length > KEPT_NOTICES) {
    const oldest = state.notices.findIndex(({ state: at }) => at !== "held" && at !== "sending");
    if (oldest >= 0) state.notices.splice(oldest, 1);
  }
  return notice;
}

async function post(world: NoticeWorld, notice: Notice, stop: AbortSignal): Promise<string> {
  try {
    const answer = await fetch(world.notifyUrl(), {
      method: "POST",
      redirect: "manual",
      signal: AbortSignal.any([stop, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]),
      headers: { "content-type": "application/json", "x-moneroo-signature": notice.signature },
      body: notice.body,
    });
    await answer.arrayBuffer();
    return String(answer.status);
  } catch (error) {
    const timedOut = error instanceof DOMException && error.name === "TimeoutError";
    return timedOut ? "timeout" : "no answer";
  }
}

export function noticeView(notice: Notice): NoticeView {
  const { id, event, paymentId, state, tries, lastAnswer, dueAtMs } = notice;
  const dueAt = new Date(dueAtMs).toISOString();
  return { id, event, paymentId, state, tries, lastAnswer, dueAt };
}
