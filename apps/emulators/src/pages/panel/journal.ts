import type {
  ChatView,
  DialogView,
  MemberView,
  MessageView,
  EmulatorEvent,
  EmulatorState,
} from "../../wire.ts";
import { panelCopy, spanWords } from "./messages.fr.ts";
import { faultWords } from "./sections.ts";

export type Party = "clock" | "payment" | "payout" | "telegram" | "fault";
export type JournalLine = { key: string; at: string; party: Party; text: string };

type Words = { party: Party; text: string };

const copy = panelCopy.journal;
const MAX_TEXT = 90;

function clockLines(before: EmulatorState, after: EmulatorState): Words[] {
  const moved = after.offsetMs - before.offsetMs;
  if (Math.abs(moved) < 1000) return [];
  return [{ party: "clock", text: moved > 0 ? copy.clock(spanWords(moved)) : copy.clockBack }];
}

function collectLines(before: EmulatorState, after: EmulatorState): Words[] {
  return after.collectors.flatMap(({ name, payments }): Words[] => {
    const old = before.collectors.find((one) => one.name === name)?.payments ?? [];
    return payments.flatMap((payment): Words[] => {
      const known = old.find(({ id }) => id === payment.id);
      if (known?.status === payment.status) return [];
      // The list shows the latest alone: an older one comes back to it without any news.
      if (known === undefined && payment.status !== "pending") return [];
      return [{ party: "payment", text: copy.payment(name, payment, known === undefined) }];
    });
  });
}

/** Money to the sellers, by a provider or from one phone to another. */
function payoutLines(before: EmulatorState, after: EmulatorState): Words[] {
  const payouts = after.payouts.flatMap((payout) => {
    const old = before.payouts.find(
      ({ id, provider }) => id === payout.id && provider === payout.provider,
    );
    return old?.status === payout.status ? [] : [copy.payout(payout, old === undefined)];
  });
  const lastSms = before.sms.at(-1)?.id ?? 0;
  const byHand = after.sms
    .filter((sms) => sms.id > lastSms && sms.kind === "sent")
    .map(({ amount, other, reference }) =>
      copy.sentByHand(amount, other.name ?? other.phone ?? "", reference),
    );
  return [...payouts, ...byHand].map((text) => ({ party: "payout", text }));
}

function faultLines(before: EmulatorState, after: EmulatorState): Words[] {
  const words = faultWords(after).join(", ");
  if (words === faultWords(before).join(", ")) return [];
  return [{ party: "fault", text: words === "" ? copy.faultless : copy.faults(words) }];
}

function dialogLines(emulators: EmulatorState, dialog: DialogView, seen: number): Words[] {
  const person = emulators.persons.find((one) => one.id === dialog.personId)?.firstName ?? "";
  const bot = emulators.bots.find((one) => one.role === dialog.bot)?.name ?? "";
  return dialog.messages
    .filter((message) => message.messageId > seen && isInJournal(message))
    .map((message) => {
      const { service } = message;
      if (service?.kind === "paid") {
        return { party: "telegram", text: copy.starsPaid(person, service.stars) };
      }
      if (service?.kind === "refunded") {
        return { party: "telegram", text: copy.starsBack(person, service.stars) };
      }
      const [from, to] = message.from.isBot ? [bot, person] : [person, bot];
      const words = message.text.replaceAll(/\s+/g, " ");
      const text = words.length > MAX_TEXT ? `${words.slice(0, MAX_TEXT)}…` : words;
      return { party: "telegram", text: copy.message(from, to, text) };
    });
}

const isInJournal = ({ service }: MessageView): boolean =>
  service === null || service.kind === "paid" || service.kind === "refunded";

function memberLine(chat: ChatView, member: MemberView, old: MemberView | undefined): Words[] {
  const say = (text: string): Words[] => [{ party: "telegram", text }];
  const inside = member.status !== "left" && member.status !== "kicked";
  const wasInside = old !== undefined && old.status !== "left" && old.status !== "kicked";
  if (member.status === "kicked" && old?.status !== "kicked") {
    return say(copy.banned(member.name, chat.title));
  }
  if (inside && !wasInside) return say(copy.joined(member.name, chat.title));
  if (wasInside && old.status !== "creator" && old.rights.length !== member.rights.length) {
    return say(copy.rights(member.name, chat.title, member.rights.length));
  }
  return [];
}

function chatLines(chat: ChatView, old: ChatView | undefined): Words[] {
  const say = (text: string): Words => ({ party: "telegram", text });
  if (old === undefined) return [say(copy.chatNew(chat.title))];
  if (chat.migratedTo !== old.migratedTo) return [say(copy.upgraded(chat.title))];
  const joined = chat.members.flatMap((member) =>
    memberLine(
      chat,
      member,
      old.members.find((one) => one.userId === member.userId),
    ),
  );
  const gone = old.members
    .filter(
      (m) => m.status !== "kicked" && !chat.members.some((other) => other.userId === m.userId),
    )
    .map((member) => say(copy.left(member.name, chat.title)));
  const asked = chat.joinRequests
    .filter((request) => !old.joinRequests.some((one) => one.userId === request.userId))
    .map((request) => say(copy.asked(request.name, chat.title)));
  const links = chat.inviteLinks.flatMap((link) => {
    const before = old.inviteLinks.find((one) => one.link === link.link);
    if (before === undefined) return [say(copy.link(chat.title))];
    return link.isRevoked && !before.isRevoked ? [say(copy.revoked(chat.title))] : [];
  });
  return [...links, ...asked, ...joined, ...gone];
}

let calls = 0;

/**
 * A call of the server's. The state shows what a successful call of Telegram changed, but not a
 * refused one. A call of a provider may change nothing: each of them is shown.
 */
export function callLine(call: Extract<EmulatorEvent, { type: "call" }>): JournalLine | null {
  const wrong = call.status === 0 || call.status >= 400;
  if (call.party === "telegram" && !wrong) return null;
  calls += 1;
  const { text, party } = callWords(call);
  return { key: `call.${calls}`, at: call.at, party: wrong ? "fault" : party, text };
}

function callWords({ party, what, status }: Extract<EmulatorEvent, { type: "call" }>): Words {
  if (party === "telegram") return { party, text: copy.telegramCall(what, status) };
  const isPayout = /\/v1\/payouts|\/v1\/balances|\/disburse\//.test(what);
  return { party: isPayout ? "payout" : "payment", text: copy.call(party, what, status) };
}

/** Sentences of what happened between two states of the emulators. */
export function journalBetween(before: EmulatorState, after: EmulatorState): JournalLine[] {
  const dialogs = after.dialogs.flatMap((dialog) => {
    const old = before.dialogs.find(
      (one) => one.personId === dialog.personId && one.bot === dialog.bot,
    );
    return dialogLines(after, dialog, old?.messages.at(-1)?.messageId ?? 0);
  });
  const chats = after.chats.flatMap((chat) =>
    chatLines(
      chat,
      before.chats.find((one) => one.id === chat.id),
    ),
  );
  const faults = faultLines(before, after);
  const words = [
    ...clockLines(before, after),
    ...faults,
    ...collectLines(before, after),
    ...payoutLines(before, after),
    ...chats,
    ...dialogs,
  ];
  return words.map((line, at) => ({ ...line, key: `${after.version}.${at}`, at: after.now }));
}
