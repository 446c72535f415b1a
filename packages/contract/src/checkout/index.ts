export * from "./policy.ts";
export * from "./providers.fr.ts";
export * from "./refusals.fr.ts";
export * from "./wire.ts";
