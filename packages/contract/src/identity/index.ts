export * from "./messages.fr.ts";
export * from "./routes.ts";
