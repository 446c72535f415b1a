export type * from "./port.ts";
export type * from "./stars/index.ts";
