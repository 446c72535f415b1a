import { useEffect, useLayoutEffect, useRef } from "react";
import { useLocation } from "wouter";
import type { Boot } from "../../features/identity/use-boot.ts";

/** The application takes its place from the picture painted before it, in the same frame. */
export function useTakePicture(at: Boot["at"]): void {
  const [, navigate] = useLocation();
  const tapped = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (at !== "loading") tapped.current = takePicture();
    // The application paints what was not painted before it.
    else if (!placeOf()?.hasChildNodes()) takePicture();
  }, [at]);
  useEffect(() => {
    if (at === "ready" && tapped.current) navigate(tapped.current);
    tapped.current = null;
  }, [at, navigate]);
}

const placeOf = () => document.getElementById("picture");

/** → the address of the link that was tapped in it. */
export function takePicture(): string | null {
  const place = placeOf();
  const root = document.getElementById("root");
  if (!place || !root) return null;
  const tapped = place.querySelector("[data-tapped]")?.getAttribute("href") ?? null;
  const focused = place.querySelector(":focus")?.getAttribute("href");
  place.remove();
  root.hidden = false;
  const links = [...root.querySelectorAll("a")];
  if (focused) links.find((link) => link.getAttribute("href") === focused)?.focus();
  return tapped;
}
