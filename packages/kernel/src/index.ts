export * from "./days.ts";
export * from "./ids.ts";
export * from "./money.ts";
export * from "./results.ts";
export * from "./run-mode.ts";
export * from "./time.ts";
