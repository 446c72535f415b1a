import { DAY_MS } from "@sesame/kernel";
import type { ChatMemberUpdated, User } from "grammy/types";
import { sql } from "kysely";
import type { App } from "../../app.ts";
import { meetPerson } from "../../people/people.ts";
import { tell } from "../../bot/message.ts";
import { digest, type JobOutcome } from "../../jobs/outbox.ts";
import { enqueue, type Job } from "../../jobs/outbox.store.ts";
import { type Db, many, maybe } from "../../postgres/database.ts";
import { type GroupRow, isAdminOf } from "../groups/index.ts";
import type { Membership } from "./accesses.ts";
import { DECIDE_ENTRY, type Door, ENTRY, type Entry } from "./entries.ts";
import { reportMessage } from "./entry-presses.ts";

/** `host` let the person in; a bot that did is an administrator, or nobody could have asked it. */
type LetIn = { readonly door: Door; readonly host: User | null };

/**
 * Somebody came in without running time. Written down, over the person's entry before this one, and
 * decided by a job: it asks Telegram who let the person in, for as long as Telegram does not answer.
 */
export async function noteEntry(
  app: App,
  event: ChatMemberUpdated,
  { group, access }: { readonly group: GroupRow; readonly access: Membership | null },
): Promise<void> {
  const { door, host } = whoLetIn(app, event);
  // By a link, without having been a buyer: strangers by link are let be.
  if (!access && door === "link" && !(await isMembersLink(app, group.id, host))) return;
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    const personId = access?.person_id ?? (await meetPerson(tx, event.new_chat_member.user, now));
    const letInBy = host && !host.is_bot ? await meetPerson(tx, host, now) : null;
    // None for one that is not newer: an update that came twice, or late.
    const entry = await maybe<{ id: bigint }>(tx)`
      INSERT INTO unpaid_entries AS e
        (group_id, person_id, entered_at, door, let_in_by, by_administrator, status)
      VALUES (${group.id}, ${personId}, ${enteredAt(event, now)}, ${door}, ${letInBy},
        ${door === "hand" && host?.is_bot ? true : null}, 'new')
      ON CONFLICT (group_id, person_id) DO UPDATE SET entered_at = excluded.entered_at,
        door = excluded.door, let_in_by = excluded.let_in_by,
        by_administrator = excluded.by_administrator, status = 'new', reported_at = NULL
        WHERE excluded.entered_at > e.entered_at
          OR (excluded.entered_at = e.entered_at AND e.status = 'left')
      RETURNING id
    `;
    if (!entry) return;
    await enqueue(tx, [{ topic: DECIDE_ENTRY, ref: entry.id, priority: 0, dueAt: now }]);
  });
}

/** Whoever came in without paid time is out again: nothing is left to decide. */
export async function noteExit(app: App, event: ChatMemberUpdated, group: GroupRow): Promise<void> {
  await sql`
    UPDATE unpaid_entries e SET status = 'left' FROM people p
    WHERE p.id = e.person_id AND p.telegram_id = ${BigInt(event.new_chat_member.user.id)}
      AND e.group_id = ${group.id} AND e.entered_at <= ${enteredAt(event, app.clock.now())}
      AND e.status IN ('new', 'open', 'allowed', 'granted')
  `.execute(app.db);
}

function whoLetIn(app: App, event: ChatMemberUpdated): LetIn {
  const { from, invite_link: link } = event;
  // We approve only requests of people whose time runs: it has ended since.
  if (BigInt(from.id) === app.telegram.names.idOf("seller")) return { door: "link", host: null };
  if (from.id !== event.new_chat_member.user.id) return { door: "hand", host: from };
  // A shared folder is a list of chats that some member hands on.
  if (event.via_chat_folder_invite_link) return { door: "folder", host: link?.creator ?? null };
  return { door: "link", host: link?.creator ?? null };
}

/** Made by somebody who does not administer the group, as far as we know. */
async function isMembersLink(app: App, groupId: bigint, creator: User | null): Promise<boolean> {
  if (!creator || creator.is_bot) return false;
  return !(await isAdminOf(app.db, groupId, BigInt(creator.id)));
}

/** As Telegram dates it, by the second; by our own clock where Telegram's is far off. */
function enteredAt(event: ChatMemberUpdated, now: Date): Date {
  const at = new Date(event.date * 1_000);
  return Math.abs(at.getTime() - now.getTime()) < DAY_MS * 2 ? at : now;
}

/** The first is reported at once; those of the next minute together. */
const GROUPING_MS = 60_000;

/** Tells a group's seller who came in without paid time. Nobody is reported twice. */
export async function reportEntries(app: App, { ref: groupId }: Job): Promise<JobOutcome> {
  const now = app.clock.now();
  return app.db.transaction().execute((tx) =>
    digest(tx, { key: `entries:${groupId}`, everyMs: GROUPING_MS, now }, async () => {
      const entries = await takeUnreported(tx, groupId, now);
      const [first] = entries;
      // None: another entry's job has just notified of them all.
      if (!first) return false;
      const message = reportMessage(entries);
      await tell(tx, [{ bot: "seller", personId: first.seller_id, message }], now);
      return true;
    }),
  );
}

async function takeUnreported(tx: Db, groupId: bigint, now: Date): Promise<Entry[]> {
  const taken = await many<{ id: bigint }>(tx)`
    UPDATE unpaid_entries SET reported_at = ${now}
    WHERE group_id = ${groupId} AND reported_at IS NULL
      AND (status IN ('open', 'removing', 'removed') OR (status = 'closed' AND door <> 'link'))
    RETURNING id
  `;
  return many<Entry>(tx)`
    ${ENTRY} WHERE e.id = ANY(${taken.map(({ id }) => id)}::bigint[])
    ORDER BY e.entered_at DESC, e.id DESC
  `;
}
