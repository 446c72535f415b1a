import { RequestError } from "./request.ts";

/** The sentence of whoever failed, or the screen's own where the server gave none. */
export function sayError(error: Error, otherwise: string): string {
  const isBare = error instanceof RequestError && error.isBare;
  return isBare || error.message === "" ? otherwise : error.message;
}
