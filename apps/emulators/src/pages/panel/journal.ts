import type { ChatView, DialogView, MemberView, EmulatorEvent, EmulatorState } from "../../wire.ts";
import { panelCopy, spanWords } from "./messages.fr.ts";
import { faultWords } from "./sections.ts";

export type Party = "clock" | "payment" | "payout" | "telegram" | "fault";
export type JournalLine = { key: string; at: string; party: Party; text: string };

const copy = panelCopy.journal;
const MAX_TEXT = 90;

function clockLines(before: EmulatorState, after: EmulatorState): string[] {
  const moved = after.offsetMs - before.offsetMs;
  if (Math.abs(moved) < 1000) return [];
  return [moved > 0 ? copy.clock(spanWords(moved)) : copy.clockBack];
}

function collectLines(before: EmulatorState, after: EmulatorState): string[] {
  return after.collectors.flatMap(({ name, payments }) => {
    const old = before.collectors.find((one) => one.name === name)?.payments ?? [];
    return payments.flatMap((payment) => {
      const known = old.find(({ id }) => id === payment.id);
      if (known?.status === payment.status) return [];
      // The list has only the latest payments: an older one may come back to it unchanged.
      if (known === undefined && payment.status !== "pending") return [];
      return copy.payment(name, payment, known === undefined);
    });
  });
}

/** Money to the sellers, by a provider or from one phone to another. */
function payoutLines(before: EmulatorState, after: EmulatorState): string[] {
  const payouts = after.payouts.flatMap((payout) => {
    const old = before.payouts.find(
      ({ id, provider }) => id === payout.id && provider === payout.provider,
    );
    return old?.status === payout.status ? [] : copy.payout(payout, old === undefined);
  });
  const lastSms = before.sms.at(-1)?.id ?? 0;
  const byHand = after.sms
    .filter((sms) => sms.id > lastSms && sms.kind === "sent")
    .map(({ amount, other, reference }) =>
      copy.sentByHand(amount, other.name ?? other.phone ?? "", reference),
    );
  return [...payouts, ...byHand];
}

function faultLines(before: EmulatorState, after: EmulatorState): string[] {
  const words = faultWords(after).join(", ");
  if (words === faultWords(before).join(", ")) return [];
  return [words === "" ? copy.faultless : copy.faults(words)];
}

function dialogLines(emulators: EmulatorState, dialog: DialogView, seen: number): string[] {
  const person = emulators.persons.find((one) => one.id === dialog.personId)?.firstName ?? "";
  const bot = emulators.bots.find((one) => one.role === dialog.bot)?.name ?? "";
  return dialog.messages
    .filter(({ message_id: id }) => id > seen)
    .flatMap(({ successful_payment: paid, refunded_payment: refunded, from: author, text }) => {
      if (paid) return copy.starsPaid(person, paid.total_amount);
      if (refunded) return copy.starsBack(person, refunded.total_amount);
      if (text === undefined) return [];
      const [from, to] = author?.is_bot ? [bot, person] : [person, bot];
      const words = text.replaceAll(/\s+/g, " ");
      const shown = words.length > MAX_TEXT ? `${words.slice(0, MAX_TEXT)}…` : words;
      return copy.message(from, to, shown);
    });
}

const isIn = (member: MemberView | undefined): boolean =>
  member !== undefined && member.status !== "left" && member.status !== "kicked";

function memberLine({ title }: ChatView, member: MemberView, old: MemberView | undefined) {
  const { name, status, rights } = member;
  if (status === "kicked" && old?.status !== "kicked") return copy.banned(name, title);
  if (isIn(member) && !isIn(old)) return copy.joined(name, title);
  const isChanged = isIn(old) && old?.status !== "creator" && old?.rights.length !== rights.length;
  return isChanged ? copy.rights(name, title, rights.length) : [];
}

function chatLines(chat: ChatView, old: ChatView | undefined): string[] {
  const { title, members } = chat;
  if (old === undefined) return [copy.chatNew(title)];
  if (chat.migratedTo !== old.migratedTo) return [copy.upgraded(title)];
  const find = (list: MemberView[], { userId }: MemberView) =>
    list.find((one) => one.userId === userId);
  const joined = members.flatMap((member) => memberLine(chat, member, find(old.members, member)));
  const gone = old.members
    .filter((member) => member.status !== "kicked" && find(members, member) === undefined)
    .map(({ name }) => copy.left(name, title));
  const asked = chat.joinRequests
    .filter((request) => !old.joinRequests.some((one) => one.userId === request.userId))
    .map(({ name }) => copy.asked(name, title));
  const links = chat.inviteLinks.flatMap((link) => {
    const before = old.inviteLinks.find((one) => one.link === link.link);
    if (before === undefined) return copy.link(title);
    return link.isRevoked && !before.isRevoked ? copy.revoked(title) : [];
  });
  return [...links, ...asked, ...joined, ...gone];
}

let calls = 0;

/**
 * A call of the server's. The state shows what a successful call of Telegram changed, but not a
 * refused one. A call of a provider may change nothing: each of them is shown.
 */
export function callLine(call: Extract<EmulatorEvent, { type: "call" }>): JournalLine | null {
  const { party: called, what, status, at } = call;
  const wrong = status === 0 || status >= 400;
  if (called === "telegram" && !wrong) return null;
  calls += 1;
  const text =
    called === "telegram" ? copy.telegramCall(what, status) : copy.call(called, what, status);
  const isPayout = /\/v1\/payouts|\/v1\/balances|\/disburse\//.test(what);
  const party = wrong ? "fault" : isPayout ? "payout" : "payment";
  return { key: `call.${calls}`, at, party, text };
}

/** Sentences of what happened between two states of the emulators. */
export function journalBetween(before: EmulatorState, after: EmulatorState): JournalLine[] {
  const dialogs = after.dialogs.flatMap((dialog) => {
    const old = before.dialogs.find(
      (one) => one.personId === dialog.personId && one.bot === dialog.bot,
    );
    return dialogLines(after, dialog, old?.messages.at(-1)?.message_id ?? 0);
  });
  const oldChat = ({ id }: ChatView) => before.chats.find((one) => one.id === id);
  const chats = after.chats.flatMap((chat) => chatLines(chat, oldChat(chat)));
  const words: [Party, string[]][] = [
    ["clock", clockLines(before, after)],
    ["fault", faultLines(before, after)],
    ["payment", collectLines(before, after)],
    ["payout", payoutLines(before, after)],
    ["telegram", [...chats, ...dialogs]],
  ];
  return words
    .flatMap(([party, texts]) => texts.map((text) => ({ party, text })))
    .map((line, at) => ({ ...line, key: `${after.version}.${at}`, at: after.now }));
}
