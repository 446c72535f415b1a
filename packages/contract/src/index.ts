export * from "./common/refusal.ts";
export * from "./common/refusals.fr.ts";
export * from "./common/sentences.fr.ts";
export * from "./common/typeset.fr.ts";
export * from "./common/wire.ts";
