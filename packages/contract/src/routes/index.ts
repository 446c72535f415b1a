export * as routes from "./all.ts";
export type * from "./call.ts";
