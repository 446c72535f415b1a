import { useSyncExternalStore } from "react";

/** From here on the list and the detail stand side by side. */
const WIDE = "(min-width: 900px)";

export function useWide(): boolean {
  return useSyncExternalStore(watch, () => matchMedia(WIDE).matches);
}

function watch(changed: () => void): () => void {
  const query = matchMedia(WIDE);
  query.addEventListener("change", changed);
  return () => query.removeEventListener("change", changed);
}
