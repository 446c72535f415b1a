import { ok, type Result } from "@sesame/kernel";
import type { ChatMember } from "grammy/types";
import { raiseAlert } from "../../alerts/alerts.ts";
import type { App } from "../../app.ts";
import type { TelegramRefusal } from "../../bot/gateway.ts";
import { backOffMs, type JobOutcome } from "../../jobs/outbox.ts";
import type { Job } from "../../jobs/outbox.store.ts";
import { followMigration, recheckGroup } from "../groups/index.ts";
import { type Membership, subjectOf } from "./accesses.ts";

type Someone = { readonly chat_id: bigint; readonly telegram_id: bigint };

/**
 * `removing`: banned by us for the minute a removal takes. `banned`: by the group's admins, whose
 * word stands. `unknown`: nobody of that id, which Telegram now and then says of a member too
 * (reference/telegram.md §3.6).
 */
export type Whereabouts = "inside" | "outside" | "removing" | "banned" | "unknown";

/** A removal bans for this long, so that the ban ends by itself if we cannot lift it. */
const REMOVAL_BAN_SECONDS = 60;

/** Where a person stands in a chat now, as Telegram says. */
export async function whereIs(
  app: App,
  who: Someone,
): Promise<Result<Whereabouts, TelegramRefusal>> {
  const answer = await app.telegram.gatewayOf("seller").call("getChatMember", {
    chat_id: Number(who.chat_id),
    user_id: Number(who.telegram_id),
  });
  if (!answer.ok) {
    return answer.refusal.kind === "user-unknown" ? ok("unknown") : answer;
  }
  return ok(placeOf(answer.value, app.clock.now()));
}

/** Where somebody whom Telegram describes stands. */
export function placeOf(member: ChatMember, now: Date): Exclude<Whereabouts, "unknown"> {
  switch (member.status) {
    case "creator":
    case "administrator":
    case "member":
      return "inside";
    case "restricted":
      return member.is_member ? "inside" : "outside";
    case "left":
      return "outside";
    case "kicked":
      return isRemoval(member.until_date, now) ? "removing" : "banned";
  }
}

export function isAdministrator(member: ChatMember): boolean {
  return member.status === "creator" || member.status === "administrator";
}

/** Admins ban for ever or for long; only a removal of ours ends within the minute. */
function isRemoval(untilDate: number, now: Date): boolean {
  const leftSeconds = untilDate - now.getTime() / 1_000;
  return untilDate > 0 && leftSeconds <= REMOVAL_BAN_SECONDS + 5;
}

/** The chat has moved or shut us out: nothing in it can be done now. */
export function isAboutChat(refusal: TelegramRefusal): boolean {
  return refusal.kind === "migrated" || refusal.kind === "chat-gone";
}

/** The first half of a removal. The ban ends by itself if nobody lifts it. */
export function banForAMoment(app: App, who: Someone): Promise<Result<true, TelegramRefusal>> {
  return app.telegram.gatewayOf("seller").call("banChatMember", {
    chat_id: Number(who.chat_id),
    user_id: Number(who.telegram_id),
    until_date: Math.ceil(app.clock.now().getTime() / 1_000) + REMOVAL_BAN_SECONDS,
  });
}

/** The second half: the person may come back when somebody lets him in. */
export async function liftBan(app: App, who: Someone): Promise<void> {
  await app.telegram.gatewayOf("seller").call("unbanChatMember", {
    chat_id: Number(who.chat_id),
    user_id: Number(who.telegram_id),
    only_if_banned: true,
  });
}

export type Trouble = {
  readonly kind: "access.cannot-open" | "access.cannot-close";
  readonly order: Membership;
  readonly refusal: TelegramRefusal;
  readonly job: Job;
};

/** From then on a refusal nobody foresaw is the desk's alone. */
const UNFORESEEN_ATTEMPTS = 10;

/**
 * Telegram refuses what access needs in a chat. A moved chat is followed; missing rights are told to
 * the seller (by a re-check of the chat) and to the desk, and we keep trying, more and more slowly:
 * the return of the rights wakes the job.
 */
export async function meetTrouble(app: App, trouble: Trouble): Promise<JobOutcome> {
  const { order, refusal, job } = trouble;
  const reason = refusal.said;
  if (refusal.kind === "migrated") {
    await followMigration(app, { from: order.chat_id, to: refusal.to });
    return { kind: "later", afterMs: 0, reason };
  }
  await raiseAlert(app.db, {
    kind: trouble.kind,
    subject: subjectOf(order),
    details: {
      order_id: String(order.order_id ?? ""),
      chat_id: String(order.chat_id),
      said: reason,
    },
    now: app.clock.now(),
  });
  await recheckGroup(app, order.group_id).catch(() => {
    // The job comes back anyway; the re-check with it.
  });
  if (refusal.kind === "unknown" && job.attempts >= UNFORESEEN_ATTEMPTS) {
    return { kind: "failed", reason };
  }
  return { kind: "later", afterMs: backOffMs(job.attempts), reason };
}
