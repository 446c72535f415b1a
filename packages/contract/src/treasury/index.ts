export * from "./policy.ts";
export * from "./refusals.fr.ts";
export * from "./messages.fr.ts";
export * from "./routes.ts";
