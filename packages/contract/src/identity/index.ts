export * from "./refusals.fr.ts";
export * from "./wire.ts";
export * from "./routes.ts";
