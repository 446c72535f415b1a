import type { ActorCalls, ControlCalls, EmulatorState } from "../apps/emulators/src/wire.ts";
import { askRows } from "../tools/testing/ask-rows.ts";

/** What the emulators know: who is where, what was said. */
export async function readEmulators(emulatorUrl: string): Promise<EmulatorState> {
  const answer = await fetch(`${emulatorUrl}/emulators/state`);
  return (await answer.json()) as EmulatorState;
}

/** Something a person does outside the app: in Telegram, on his phone. */
export function act<K extends keyof ActorCalls>(
  emulatorUrl: string,
  name: K,
  takes: ActorCalls[K]["takes"],
): Promise<ActorCalls[K]["gives"]> {
  return send(`${emulatorUrl}/emulators/act`, { ...takes, act: name });
}

/** What the control panel does. */
export function control<K extends keyof ControlCalls>(
  emulatorUrl: string,
  name: K,
  takes: ControlCalls[K]["takes"],
): Promise<ControlCalls[K]["gives"]> {
  return send(`${emulatorUrl}/emulators/control`, { ...takes, control: name });
}

async function send<T>(url: string, said: object): Promise<T> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(said),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${JSON.stringify(said)}: ${text}`);
  return JSON.parse(text) as T;
}

/** Invite links of a group that still serve and ask for approval. */
export async function openInviteLinks(emulatorUrl: string, group: string): Promise<string[]> {
  const { chats } = await readEmulators(emulatorUrl);
  return chats
    .filter((chat) => chat.title === group)
    .flatMap((chat) => chat.inviteLinks)
    .filter((link) => link.createsJoinRequest && !link.isRevoked)
    .map((link) => link.link);
}

/** Names of the people inside a group, bots left out. */
export async function peopleInside(emulatorUrl: string, group: string): Promise<string[]> {
  const { chats } = await readEmulators(emulatorUrl);
  const inside = new Set(["creator", "administrator", "member"]);
  return chats
    .filter((chat) => chat.title === group)
    .flatMap((chat) => chat.members)
    .filter((member) => !member.isBot && inside.has(member.status))
    .map((member) => member.name);
}

/** All that the bots said to a person, in one text. */
export async function saidTo(emulatorUrl: string, person: { id: number }): Promise<string> {
  const { dialogs } = await readEmulators(emulatorUrl);
  return dialogs
    .filter((dialog) => dialog.personId === person.id)
    .flatMap((dialog) => dialog.messages)
    .filter((message) => message.from?.is_bot)
    .map((message) => message.text)
    .join("\n");
}

const NOTHING_BOOKED = { seller: 0, fees: 0, provider: 0 };

/** Balances as the entries give them, in francs; or what was booked since others were read. */
export async function readBooks(databaseUrl: string, since = NOTHING_BOOKED) {
  const balances = await askRows<[key: string, francs: string]>(
    databaseUrl,
    `SELECT a.key, coalesce(sum(e.amount), 0)::text
     FROM ledger_accounts a LEFT JOIN ledger_entries e ON e.account_id = a.id GROUP BY a.key`,
  );
  const of = (match: (key: string) => boolean) =>
    balances.reduce((sum, [key, francs]) => sum + (match(key) ? Number(francs) : 0), 0);
  return {
    seller: of((key) => key.startsWith("seller:")) - since.seller,
    fees: of((key) => key === "platform:fees") - since.fees,
    provider: of((key) => key.startsWith("provider:")) - since.provider,
    sum: of(() => true),
  };
}
