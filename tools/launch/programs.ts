import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, watch } from "node:fs";
import { join } from "node:path";
import { buildPages, ROOT } from "./build.ts";

const STOP_WITH_PARENT = new URL("./stop-with-parent.mjs", import.meta.url).href;
const READY_WITHIN_MS = 60_000;

export type Program = {
  name: string;
  /** Resolves with the reason once the program has ended. */
  gone: Promise<{ reason: string; clean: boolean }>;
  stop(patienceMs: number): Promise<void>;
};

export type ProgramOptions = {
  name: string;
  script: string;
  env: NodeJS.ProcessEnv;
};

/**
 * Starts one of our programs in a process group of its own, so that Ctrl-C reaches the launcher
 * alone, which stops the parts in order. If the launcher dies first, the program stops by itself.
 */
export function startProgram({ name, script, env }: ProgramOptions): Program {
  const child = spawn(process.execPath, ["--import", STOP_WITH_PARENT, script], {
    cwd: ROOT,
    detached: true,
    stdio: ["ignore", "inherit", "inherit"],
    env,
  });
  const gone = new Promise<{ reason: string; clean: boolean }>((resolve) => {
    child.once("exit", (code, signal) =>
      resolve({ reason: `${name} ended (${signal ?? `code ${code}`})`, clean: code === 0 }),
    );
    child.once("error", (error) => resolve({ reason: `${name}: ${error.message}`, clean: false }));
  });
  return { name, gone, stop: (patienceMs) => stopChild(child, gone, patienceMs) };
}

async function stopChild(
  child: ChildProcess,
  gone: Promise<unknown>,
  patienceMs: number,
): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), patienceMs);
  await gone;
  clearTimeout(timer);
}

/** Waits until `url` answers 200, or the program that should answer is gone. */
export async function untilAnswers(url: string, name: string, program?: Program): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  let ended: string | null = null;
  void program?.gone.then(({ reason }) => {
    ended = reason;
  });
  while (Date.now() < deadline) {
    if (ended !== null) throw new Error(ended);
    if (await answers(url)) return;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  throw new Error(`${name} does not answer at ${url}`);
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

const MINUTE_MS = 60_000;
/** A program that falls more often within a minute is not started again. */
export const FALLS_A_MINUTE = 5;
const LONGEST_WAIT_MS = 30_000;

export type Supervised = {
  readonly name: string;
  start(): Program;
  readonly patienceMs: number;
  /** It is started again without an end, more and more slowly. */
  readonly forEver?: boolean;
  /** Whether to start it again after a fall; always when absent. */
  mayRestart?(): boolean;
  /** It ended with code 0, or fell too often: it will not be started again. */
  onEnd(reason: string, isClean: boolean): void;
  /** Prints what happened. */
  say(line: string): void;
};

export type Supervision = {
  /** The one that runs now. */
  current(): Program;
  stop(): Promise<void>;
};

/**
 * Runs a program and starts it again when it falls: at once the first time, then after 0.5, 1, 2 …
 * seconds. Nothing else is stopped meanwhile. An end with code 0 is intended: it is not started
 * again.
 */
export function supervise(options: Supervised): Supervision {
  let stopping = false;
  let timer: NodeJS.Timeout | null = null;
  let falls: number[] = [];
  let program = begin();

  function begin(): Program {
    const next = options.start();
    void next.gone.then(({ reason, clean }) => {
      if (stopping) return;
      if (clean) return options.onEnd(reason, true);
      if (options.mayRestart?.() === false) return options.onEnd(reason, false);
      const now = performance.now();
      falls = [...falls.filter((at) => now - at < MINUTE_MS), now];
      if (falls.length > FALLS_A_MINUTE && options.forEver !== true) {
        const times = `${falls.length} times within a minute`;
        return options.onEnd(`${reason}: it fell ${times}, everything is stopped`, false);
      }
      const waitMs = waitAfter(falls.length);
      options.say(`${reason}: started again in ${waitMs / 1_000} s`);
      timer = setTimeout(() => {
        program = begin();
      }, waitMs);
    });
    return next;
  }

  return {
    current: () => program,
    async stop() {
      stopping = true;
      if (timer) clearTimeout(timer);
      await program.stop(options.patienceMs);
    },
  };
}

/** Milliseconds to wait after so many falls within a minute. */
export function waitAfter(falls: number): number {
  return falls <= 1 ? 0 : Math.min(LONGEST_WAIT_MS, 500 * 2 ** (falls - 2));
}

/** Editors save in several steps: the changes of one moment are handled together. */
const SETTLE_MS = 150;

export type WatchedProgram = { sources: string[]; start: () => Program; patienceMs: number };

/**
 * Restarts programs when their sources change, and builds pages when theirs change. After a build
 * the server restarts too, since it keeps one built page in memory. A program that fell waits for a
 * change.
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
    return buildPages(["web", "emulators", "gallery"]);
  } catch (error) {
    console.error((error as Error).message);
    return [];
  }
}

const CHECK_EVERY_MS = 250;

/**
 * Calls back when the program between the user and this process (npm, its shell, our wrapper) has
 * ended: npm ends at once on SIGTERM and does not pass it on. Without such a program the parent may
 * end.
 */
export function onAbandoned(callback: () => void): void {
  const watched = watchedChain();
  if (watched.length === 0) return;
  const timer = setInterval(() => {
    if (watched.every(({ pid, parent }) => parentOf(pid) === parent)) return;
    clearInterval(timer);
    callback();
  }, CHECK_EVERY_MS);
  timer.unref();
}

type Link = { pid: number; parent: number };

function watchedChain(): Link[] {
  const byNpm = process.env.npm_lifecycle_event !== undefined;
  if (process.env.SESAME_WRAPPED !== "1" && !byNpm) return [];
  const chain: Link[] = [];
  let pid = process.pid;
  // From this process up to npm; the program that started npm may end.
  for (let depth = 0; depth < 4; depth += 1) {
    const parent = parentOf(pid);
    if (parent <= 1) break;
    chain.push({ pid, parent });
    const name = nameOf(parent);
    if (name.startsWith("npm")) return chain;
    if (!byNpm) return chain;
    pid = parent;
  }
  return chain.slice(0, 1);
}

function parentOf(pid: number): number {
  if (pid === process.pid) return process.ppid;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name, in parentheses, may itself contain spaces.
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return 0;
  }
}

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
