import fc from "fast-check";

/**
 * One seed for every property, so that a run can be repeated. Only `npm run long` shrinks a
 * counterexample: elsewhere it is printed at once, before a time limit ends the test.
 */
fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  seed: Number(process.env.SESAME_SEED ?? 1),
  endOnFailure: process.env.LONG !== "1",
});
