import { test } from "vitest";
import { SEED } from "../../../../tools/testing/seeded.ts";
import { runStorm } from "./run-storm.ts";

const isLong = process.env["LONG"] === "1";
const SEEDS = isLong ? 25 : 1;
const ROUNDS = isLong ? 60 : 40;

test.each(Array.from({ length: SEEDS }, (_, nth) => SEED + nth))(
  "whatever happens at once, the ledger matches phones and providers (SESAME_SEED=%i)",
  (seed) => runStorm(seed, { rounds: ROUNDS }),
);
