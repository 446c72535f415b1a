import type { Listener, RunningWorld } from "./control/running-world.ts";

/** Who looks at the world, and how often it has changed. */
export function watchers(
  touch: () => void,
): Pick<RunningWorld, "version" | "changed" | "show" | "listen"> {
  const listeners = new Set<Listener>();
  let version = 0;
  return {
    version: () => version,
    changed() {
      version += 1;
      touch();
      for (const listener of listeners) listener.changed();
    },
    show(event) {
      for (const listener of listeners) listener.show(event);
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
