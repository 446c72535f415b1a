import { type AdjustableClock, assert } from "@sesame/kernel";
import { sql } from "kysely";
import type { Emulators } from "../../emulators/src/index.ts";
import type { Application } from "../src/application.ts";
import { OUTBOX_LOOP, type OutboxLoop } from "../src/jobs/outbox.ts";
import { type Db, PREPARED } from "../src/postgres/database.ts";
import { eventually } from "../../../tools/testing/eventually.ts";
import { pace } from "./pace.ts";

const MAX_ROUNDS = 500;

type Surroundings = {
  readonly db: Db;
  readonly clock: AdjustableClock;
  readonly emulators: Emulators;
};

/**
 * → a function that runs all loops until a whole round finds nothing new: in place of waiting.
 * Between two whole rounds only queued jobs and updates are worked off, if there are any, and Telegram
 * is asked for updates only when it has made some. Due jobs that wait because nobody answers are at rest.
 */
export function createDrain(app: Application, around: Surroundings): () => Promise<void> {
  // The first look tells Telegram which updates are wanted.
  const updates = { made: 1, fetched: 0 };
  around.emulators.telegram.onUpdate(() => updates.made++);
  return () => drainAll(app, around, updates);
}

async function drainAll(
  app: Application,
  around: Surroundings,
  updates: { readonly made: number; fetched: number },
): Promise<void> {
  const outbox = app.loops.find((loop): loop is OutboxLoop => loop.name === OUTBOX_LOOP);
  assert(outbox, "the application has an outbox");
  const glance = () => look(around, outbox.heldTopics());
  let before = await glance();
  let whole = true;
  for (let round = 0; round < MAX_ROUNDS; ) {
    const { made, fetched } = updates;
    for (const { name, drain } of app.loops) {
      const mayFind = name.startsWith("poll ")
        ? made > fetched
        : name.startsWith("updates ")
          ? whole || made > fetched || before.hasDueUpdates
          : name === OUTBOX_LOOP
            ? before.hasDueJobs
            : whole;
      if (mayFind) await drain();
    }
    updates.fetched = made;
    const after = await glance();
    const isStill = after.mark === before.mark;
    const waits = after.hasDueJobs || after.hasDueUpdates || after.hasDueQuestions;
    const rests = !waits && !after.sending && isStill;
    if (rests && whole) return;
    // Payments and payouts that wait to be asked about are no queue of these.
    whole = rests || (!whole && isStill);
    // A provider's notice comes by HTTP, in its own time: no number of rounds makes it come.
    if (after.sending && isStill) await pace(5);
    else round++;
    before = after;
  }
  throw new Error("the application does not come to rest");
}

/** `mark` changes with all that happens. */
type Glance = {
  /** A notice of a provider's is on its way to us. */
  readonly sending: boolean;
  readonly mark: string;
  readonly hasDueJobs: boolean;
  readonly hasDueUpdates: boolean;
  /** To a provider. */
  readonly hasDueQuestions: boolean;
};

/** A notice of a provider's is on its way. */
function isSending(emulators: Emulators): boolean {
  return [emulators.paydunya, emulators.fedapay, ...Object.values(emulators.collectors)]
    .flatMap((provider) => provider.noticeViews())
    .some(({ state }) => state === "sending");
}

/** They come by HTTP, in their own time. */
export const untilNoticesHaveCome = (emulators: Emulators) =>
  eventually(() => !isSending(emulators));

async function look(
  { db, clock, emulators }: Surroundings,
  heldTopics: readonly string[],
): Promise<Glance> {
  // Looked at first: what is answered by now is written by now, and seen below.
  const sending = isSending(emulators);
  const { rows } = await sql<Omit<Glance, "sending">>`${PREPARED}
    WITH due AS (
      SELECT FROM outbox WHERE failed_at IS NULL AND due_at <= ${clock.now()}
        AND topic <> ALL (${[...heldTopics]}::text[])
    )
    SELECT EXISTS (SELECT FROM due) AS "hasDueJobs",
      EXISTS (
        -- Those behind one that was put aside wait for it.
        SELECT FROM telegram_updates u WHERE handled_at IS NULL AND due_at <= ${clock.now()}
          AND NOT EXISTS (
            SELECT FROM telegram_updates first
            WHERE first.bot = u.bot AND first.queue_key = u.queue_key
              AND first.handled_at IS NULL AND first.update_id < u.update_id
          )
      ) AS "hasDueUpdates",
      EXISTS (SELECT FROM payouts WHERE check_at <= ${clock.now()})
        OR EXISTS (SELECT FROM payout_rumours WHERE check_at <= ${clock.now()})
        -- Passed over while the next webhook about the same payment was being stored. What was not
        -- reported may wait for the rate of its provider, and time stands still here.
        OR EXISTS (SELECT FROM payment_checks WHERE reported AND due_at <= ${clock.now()})
        AS "hasDueQuestions",
      concat_ws(' ',
        -- A webhook that came after the asking loop's turn changes it.
        (SELECT md5(string_agg(concat_ws(' ', payment_id, due_at, reported), ',' ORDER BY payment_id))
          FROM payment_checks WHERE due_at <= ${clock.now()}),
        (SELECT concat_ws(' ', count(*), max(id), sum(attempts + outages)) FROM outbox),
        (SELECT concat_ws(' ', count(*), count(handled_at), sum(attempts + outages)) FROM telegram_updates)
      ) AS mark
  `.execute(db);
  const glance = rows[0];
  assert(glance, "a look answers one row");
  return { ...glance, sending };
}
