export * from "./policy.ts";
export * from "./refusals.fr.ts";
export * from "./wire.ts";
export * from "./messages.fr.ts";
export * from "./day-wire.ts";
export * from "./registry-wire.ts";
export * from "./reconciliation-wire.ts";
export * from "./jobs-wire.ts";
