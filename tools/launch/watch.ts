import { watch } from "node:fs";
import { join } from "node:path";
import { buildPages, ROOT } from "./build.ts";
import type { Program } from "./children.ts";

/** Editors save in several steps: one change is answered once. */
const SETTLE_MS = 150;

export type WatchedProgram = { sources: string[]; start: () => Program; patienceMs: number };

/**
 * Starts programs again when their sources change, and builds the pages again when theirs do: the
 * server holds one built page, so it is started again too. A program that fell waits for a change.
 */
export function watchPrograms(programs: WatchedProgram[]): { stop(): Promise<void> } {
  let turn = Promise.resolve();
  let stopped = false;
  const running = programs.map((program) => ({ ...program, now: watched(program) }));
  const changed = new Set<string>();
  const answer = async (): Promise<void> => {
    const paths = [...changed];
    changed.clear();
    if (stopped || paths.length === 0) return;
    const built = rebuild();
    for (const program of running) {
      const touched = program.sources.some((source) =>
        paths.some((path) => path.startsWith(source)),
      );
      if (!touched && built.length === 0) continue;
      await program.now.stop(program.patienceMs);
      program.now = watched(program);
    }
  };
  let timer: NodeJS.Timeout | undefined;
  const watchers = ["apps", "packages", "database"].map((room) =>
    watch(join(ROOT, room), { recursive: true }, (_event, name) => {
      if (name === null || /(^|\/)(dist|node_modules)(\/|$)|\.test\./.test(name)) return;
      changed.add(`${room}/${name}`);
      clearTimeout(timer);
      timer = setTimeout(() => {
        turn = turn.then(answer);
      }, SETTLE_MS);
    }),
  );
  return {
    async stop() {
      stopped = true;
      for (const watcher of watchers) watcher.close();
      clearTimeout(timer);
      await turn;
      for (const { now, patienceMs } of running) await now.stop(patienceMs);
    },
  };
}

function watched({ start }: WatchedProgram): Program {
  const program = start();
  void program.gone.then(({ reason, clean }) => {
    if (!clean) console.error(`${reason}: waiting for a change`);
  });
  return program;
}

function rebuild(): string[] {
  try {
    return buildPages(["web", "world", "gallery"]);
  } catch (error) {
    console.error((error as Error).message);
    return [];
  }
}
