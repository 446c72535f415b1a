export * from "./contacts.ts";
export * from "./faq.fr.ts";
export * from "./policy.ts";
export * from "./refusals.fr.ts";
export * from "./remains.fr.ts";
export * from "./wire.ts";
export * from "./words.fr.ts";
