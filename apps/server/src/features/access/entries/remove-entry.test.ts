import { expect, test } from "vitest";
import type { Job } from "../../../jobs/outbox.store.ts";
import { UNTRUSTED_CLOCK } from "../close-access.ts";
import type { AccessDeps } from "../deps.ts";
import { removeEntry } from "./remove-entry.ts";

test("nobody who came in is removed by a clock that may be wrong: nothing is even looked at", async () => {
  const deps = { clock: { isTrusted: () => false } } as unknown as AccessDeps;
  expect(await removeEntry(deps, { ref: 1n } as Job)).toEqual(UNTRUSTED_CLOCK);
});
