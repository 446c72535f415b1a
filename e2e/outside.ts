import pg from "pg";
import type { WorldState } from "../apps/world/src/wire.ts";

/** What the world knows: who is where, what was said. */
export async function readWorld(worldUrl: string): Promise<WorldState> {
  const answer = await fetch(`${worldUrl}/world/state`);
  return (await answer.json()) as WorldState;
}

/** Invite links of a group that still serve and ask for approval. */
export async function openInviteLinks(worldUrl: string, group: string): Promise<string[]> {
  const { chats } = await readWorld(worldUrl);
  return chats
    .filter((chat) => chat.title === group)
    .flatMap((chat) => chat.inviteLinks)
    .filter((link) => link.createsJoinRequest && !link.isRevoked)
    .map((link) => link.link);
}

/** First names of the people inside a group, bots left out. */
export async function peopleInside(worldUrl: string, group: string): Promise<string[]> {
  const { chats } = await readWorld(worldUrl);
  const inside = new Set(["creator", "administrator", "member"]);
  return chats
    .filter((chat) => chat.title === group)
    .flatMap((chat) => chat.members)
    .filter((member) => !member.isBot && inside.has(member.status))
    .map((member) => member.name.split(" ")[0] ?? "");
}

/** All that the bots said to a person, in one text. */
export async function saidTo(worldUrl: string, firstName: string): Promise<string> {
  const { dialogs, persons } = await readWorld(worldUrl);
  const ids = persons.filter((person) => person.firstName === firstName).map(({ id }) => id);
  return dialogs
    .filter((dialog) => ids.includes(dialog.personId))
    .flatMap((dialog) => dialog.messages)
    .filter((message) => message.from.isBot)
    .map((message) => message.text)
    .join("\n");
}

export type Books = {
  readonly seller: number;
  readonly fees: number;
  readonly provider: number;
  readonly sum: number;
};

/** Balances as the entries give them, in francs. */
export async function readBooks(databaseUrl: string): Promise<Books> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ key: string; balance: string }>(`
      SELECT a.key, coalesce(sum(e.amount), 0)::text AS balance
      FROM ledger_accounts a LEFT JOIN ledger_entries e ON e.account_id = a.id
      GROUP BY a.key
    `);
    const of = (match: (key: string) => boolean) =>
      rows.filter((row) => match(row.key)).reduce((sum, row) => sum + Number(row.balance), 0);
    return {
      seller: of((key) => key.startsWith("seller:")),
      fees: of((key) => key === "platform:fees"),
      provider: of((key) => key.startsWith("provider:")),
      sum: of(() => true),
    };
  } finally {
    await client.end();
  }
}
