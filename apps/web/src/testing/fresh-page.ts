import { vi } from "vitest";

/**
 * Runs before each file: the page of the one before may be used again, and nothing else of it. The
 * app's own modules are read anew, because sessions, sheets and what waits live in them.
 */
vi.resetModules();
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
