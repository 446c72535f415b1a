export * from "./methods.fr.ts";
export * from "./policy.ts";
export * from "./refusals.fr.ts";
export * from "./routes.ts";
export * from "./messages.fr.ts";
