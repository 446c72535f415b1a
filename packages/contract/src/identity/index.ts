export * from "./refusals.fr.ts";
export * from "./routes.ts";
