import { MINUTE_MS } from "@sesame/kernel";
import type { App } from "../app.ts";
import { leaseClockOf } from "../jobs/lease-clock.ts";
import { createLoop, type Loop } from "../jobs/loop.ts";
import { type DateAhead, endDatesAhead } from "./dates-ahead.store.ts";

/** Each minute, and as soon as the clock is set: what a wrong clock has put off is due again. */
export function createDatesAheadLoop({ db, clock, log }: App, dates: readonly DateAhead[]): Loop {
  const leaseClock = leaseClockOf(clock);
  return createLoop({
    name: "dates ahead",
    clock,
    log,
    everyMs: MINUTE_MS,
    async run() {
      // Of two clocks that disagree nobody knows which ran ahead.
      if (!clock.isTrusted()) return false;
      let mended = 0;
      for (const date of dates) {
        mended += await endDatesAhead(db, date, leaseClock).catch((err: unknown) => {
          log.error({ err, table: date.table }, "dates ahead were not looked at");
          return 0;
        });
      }
      if (mended > 0) log.warn({ mended }, "dates were written by a wrong clock: due again");
      return mended > 0;
    },
  });
}
