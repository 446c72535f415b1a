import { startParamIn } from "../telegram/launch.ts";

type Place = Pick<Location, "pathname" | "search" | "hash">;

/**
 * Where a reader with a start parameter belongs; null for a seller. Init data carries the parameter
 * when the address does not (WIRE §2); the fragment goes along, it is the proof of identity.
 */
export function buyerAddress(place: Place, initData: string | null): string | null {
  if (place.pathname !== "/") return null;
  if (new URLSearchParams(place.search).has("tgWebAppStartParam")) return null;
  const reference = initData ? startParamIn(initData) : null;
  if (!reference) return null;
  return `/?tgWebAppStartParam=${encodeURIComponent(reference)}${place.hash}`;
}
