export * from "./policy.ts";
export * from "./refusals.fr.ts";
export * from "./routes.ts";
export * from "./providers.fr.ts";
