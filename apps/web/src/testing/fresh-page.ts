import { configure } from "@testing-library/react";
import { vi } from "vitest";

/** What a slow machine may take; a test that is right never waits for it. */
configure({ asyncUtilTimeout: 15_000 });

/**
 * Runs before each file: the page of the one before may be used again, and nothing else of it. The
 * app's own modules are read anew, because sessions, sheets and what waits live in them.
 */
vi.resetModules();
vi.useRealTimers();
vi.unstubAllGlobals();
vi.restoreAllMocks();
forgetFunctions();
localStorage.clear();
sessionStorage.clear();
history.replaceState(null, "", "/");
document.head.replaceChildren();
document.body.replaceChildren();
const { attributes } = document.documentElement;
while (attributes[0]) document.documentElement.removeAttribute(attributes[0].name);

/** What somebody else's script hung on the window of the file before. */
function forgetFunctions(): void {
  const page = globalThis as unknown as Record<string | symbol, unknown>;
  const key = Symbol.for("sesame.functions-of-a-fresh-page");
  const functions = Object.keys(page).filter((name) => typeof page[name] === "function");
  const known = (page[key] ??= new Set(functions)) as ReadonlySet<string>;
  for (const name of functions) if (!known.has(name)) delete page[name];
}
