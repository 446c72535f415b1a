export * from "./calendar-wire.ts";
export * from "./statistics-wire.ts";
export * from "./wire.ts";
export * from "./messages.fr.ts";
export * from "./routes.ts";
