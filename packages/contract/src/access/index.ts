export * from "./policy.ts";
export * from "./wire.ts";
export * from "./words.fr.ts";
