export * from "./messages.fr.ts";
export * from "./policy.ts";
export * from "./routes.ts";
