export * from "./policy.ts";
export * from "./routes.ts";
export * from "./messages.fr.ts";
