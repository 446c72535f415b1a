export * from "./common/refusal.ts";
export * from "./common/refusals.fr.ts";
export * from "./common/francs.fr.ts";
export * from "./common/messages.fr.ts";
export * from "./common/paying.fr.ts";
export * from "./common/wire.ts";
export * from "./common/route.ts";
