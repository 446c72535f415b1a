import { useEffect, useRef } from "react";
import type { Bridge } from "../telegram/bridge.ts";

/** The native back button while there is somewhere to go back to. */
export function useBack(bridge: Bridge | null, back: (() => void) | null): void {
  const latest = useRef(back);
  useEffect(() => {
    latest.current = back;
  });
  const shown = back !== null;
  useEffect(() => {
    if (!bridge || !shown) return;
    return bridge.backButton(() => latest.current?.());
  }, [bridge, shown]);
}
