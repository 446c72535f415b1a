import { expect, test } from "vitest";
import type { App } from "../../app.ts";
import type { Job } from "../../jobs/outbox.store.ts";
import { UNTRUSTED_CLOCK } from "./close.ts";
import { removeEntry } from "./entries.ts";

test("nobody who came in is removed by a clock that may be wrong: nothing is even looked at", async () => {
  const app = { clock: { isTrusted: () => false } } as unknown as App;
  expect(await removeEntry(app, { ref: 1n } as Job)).toEqual(UNTRUSTED_CLOCK);
});
