import { cleanup, configure } from "@testing-library/react";
import { afterEach, vi } from "vitest";

/** Time that a slow machine may need; a correct test never waits for it. */
configure({ asyncUtilTimeout: 15_000 });

/**
 * Runs before each file: the page of the file before may be used again, and nothing else of it. The app's own
 * modules are loaded again, because sessions, sheets and waiting writes live in them.
 */
vi.resetModules();
forgetFunctions();
window.scrollTo = () => undefined;
freshen();

/** A test begins on a page that nothing is known of, with the browser's own functions. */
afterEach(freshen);

function freshen(): void {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, "", "/");
  document.head.replaceChildren();
  document.body.replaceChildren();
  const { attributes } = document.documentElement;
  while (attributes[0]) document.documentElement.removeAttribute(attributes[0].name);
}

/** Functions that another script added to the window in the file before. */
function forgetFunctions(): void {
  const page = globalThis as unknown as Record<string | symbol, unknown>;
  const key = Symbol.for("sesame.functions-of-a-fresh-page");
  const functions = Object.keys(page).filter((name) => typeof page[name] === "function");
  const known = (page[key] ??= new Set(functions)) as ReadonlySet<string>;
  for (const name of functions) if (!known.has(name)) delete page[name];
}
