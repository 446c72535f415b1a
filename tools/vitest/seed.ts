import fc from "fast-check";

/**
 * One seed for every property, so that a run can be repeated. A failing property prints its
 * counterexample before any limit ends it; `npm run long` shrinks.
 */
fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  seed: Number(process.env.SESAME_SEED ?? 1),
  endOnFailure: process.env.LONG !== "1",
});
