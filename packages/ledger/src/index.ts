export type { AccountId, Executor } from "./executor.ts";
export * from "./accounts.ts";
export * from "./books.ts";
export * from "./holds.ts";
export * from "./transfers.ts";
