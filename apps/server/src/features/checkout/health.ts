import { DISTURBED_WINDOW_MS, isDisturbed } from "@sesame/contract/checkout";
import { addMs, MINUTE_MS } from "@sesame/kernel";
import { sql } from "kysely";
import { perApp } from "../../app.ts";
import { many } from "../../postgres/database.ts";
import type { Account } from "./opening.ts";

type CallsOfMinute = {
  readonly provider: string;
  readonly minute: Date;
  readonly answered: number;
  readonly failed: number;
};

/** How a call to a provider ended: with an answer, whatever it says, or with none, or nonsense. */
type CallEnd = "answered" | "failed";

/** How providers answer: noted in memory, written by whoever ends a batch. */
type ProviderHealth = {
  note(account: Account, end: CallEnd): void;
  /**
   * In one statement, for many calls: at once when one failed, else every few seconds. What cannot
   * be written is no reason for anything to fail.
   */
  flush(): Promise<void>;
  /** Providers that are "perturbé" by our last 30 minutes. */
  disturbed(): Promise<ReadonlySet<string>>;
};

/** Real time: successes need not be written at once. */
const SUCCESSES_WAIT_MS = 2_000;

export const healthOf = perApp(({ db, clock, log }): ProviderHealth => {
  const calls = new Map<string, CallsOfMinute>();
  let writtenAt = Number.NEGATIVE_INFINITY;
  const flush = async (): Promise<void> => {
    const minutes = [...calls.values()];
    const waits = performance.now() - writtenAt < SUCCESSES_WAIT_MS;
    if (minutes.length === 0 || (waits && minutes.every(({ failed }) => failed === 0))) return;
    calls.clear();
    writtenAt = performance.now();
    try {
      await sql`
        WITH forgotten AS (
          DELETE FROM provider_minutes
          WHERE minute < ${addMs(clock.now(), -DISTURBED_WINDOW_MS * 2)}
        )
        INSERT INTO provider_minutes AS m (provider, minute, answered, failed)
        SELECT * FROM unnest(
          ${minutes.map(({ provider }) => provider)}::text[],
          ${minutes.map(({ minute }) => minute)}::timestamptz[],
          ${minutes.map(({ answered }) => answered)}::int[],
          ${minutes.map(({ failed }) => failed)}::int[]
        ) AS u(provider, minute, answered, failed)
        ORDER BY provider, minute
        ON CONFLICT (provider, minute) DO UPDATE SET answered = m.answered + excluded.answered,
          failed = m.failed + excluded.failed
      `.execute(db);
    } catch (error) {
      log.warn({ err: error }, "how providers answer was not written");
    }
  };
  return {
    flush,
    note({ provider, keyId }, end) {
      // A seller's own account may fail for reasons of its own.
      if (keyId !== null) return;
      const minute = new Date(Math.floor(clock.now().getTime() / MINUTE_MS) * MINUTE_MS);
      const name = `${provider} ${minute.getTime()}`;
      const known = calls.get(name) ?? { provider, minute, answered: 0, failed: 0 };
      calls.set(name, { ...known, [end]: known[end] + 1 });
    },
    async disturbed() {
      const since = addMs(clock.now(), -DISTURBED_WINDOW_MS);
      const rows = await many<Omit<CallsOfMinute, "minute">>(db)`
        SELECT provider, sum(answered)::int AS answered, sum(failed)::int AS failed
        FROM provider_minutes WHERE minute > ${since} GROUP BY provider
      `;
      return new Set(rows.filter(isDisturbed).map(({ provider }) => provider));
    },
  };
});
