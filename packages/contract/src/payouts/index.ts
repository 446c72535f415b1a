export * from "./policy.ts";
export * from "./messages.fr.ts";
