export * from "./policy.ts";
export * from "./words.fr.ts";
