import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Keeps a value in one JSON file, so that a second start finds all of it. */
type Store = {
  /** Something changed: it is written soon. */
  touch(): void;
  /** Writes at once what is not written yet. */
  flush(): void;
};

const WRITE_AFTER_MS = 300;
/** A large world is written less often: writing takes a tenth of the time at most. */
const REST_FACTOR = 10;

export function loadState<T>(path: string): T | null {
  if (!existsSync(path)) return null;
  return JSON.parse(readFileSync(path, "utf8"), revive) as T;
}

export function startStore(path: string, state: () => unknown): Store {
  let timer: NodeJS.Timeout | undefined;
  let dirty = false;
  let waitMs = WRITE_AFTER_MS;
  mkdirSync(dirname(path), { recursive: true });

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (!dirty) return;
    dirty = false;
    // Renaming is atomic: whoever reads finds the old state or the new one, never half of one.
    const draft = `${path}.new`;
    const startMs = performance.now();
    writeFileSync(draft, JSON.stringify(state(), replace));
    renameSync(draft, path);
    waitMs = Math.max(WRITE_AFTER_MS, (performance.now() - startMs) * REST_FACTOR);
  };
  return {
    touch() {
      dirty = true;
      timer ??= setTimeout(flush, waitMs).unref();
    },
    flush,
  };
}

/** JSON knows neither maps nor sets. */
function replace(_key: string, value: unknown): unknown {
  if (value instanceof Map) return { $map: [...value] };
  if (value instanceof Set) return { $set: [...value] };
  return value;
}

function revive(_key: string, value: unknown): unknown {
  if (typeof value === "object" && value !== null) {
    if ("$map" in value) return new Map(value.$map as [unknown, unknown][]);
    if ("$set" in value) return new Set(value.$set as unknown[]);
  }
  return value;
}
