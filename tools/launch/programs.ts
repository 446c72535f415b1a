import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { endChild } from "../postgres/layout.ts";
import { ROOT } from "./build.ts";

const STOP_WITH_PARENT = new URL("./stop-with-parent.mjs", import.meta.url).href;
const READY_WITHIN_MS = 60_000;

export type Program = {
  readonly name: string;
  readonly script: string;
  readonly env: NodeJS.ProcessEnv;
  /** Answers 200 once the program is ready. */
  readonly answersAt: string;
  /** How long it may take to stop. */
  readonly patienceMs: number;
  /** It is always started again, and its falls never stop the rest. */
  readonly isForEver?: boolean;
};

type Ended = { reason: string; isClean: boolean };

/** Waits until `url` answers 200, or the program that should answer is gone. */
export async function untilAnswers(
  url: string,
  name: string,
  gone: Promise<Ended | void> = new Promise(() => {}),
) {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (Date.now() < deadline) {
    const ended = await Promise.race([gone, sleep(30)]);
    if (ended) throw new Error(ended.reason);
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
    await response?.body?.cancel();
    if (response?.ok) return;
  }
  throw new Error(`${name} does not answer at ${url}`);
}

const MINUTE_MS = 60_000;
/** A program that falls more often within a minute is not started again. */
export const FALLS_A_MINUTE = 5;

/**
 * Runs a program and starts it again when it falls: at once the first time, then after 0.5, 1, 1.5 …
 * seconds. Nothing else is stopped meanwhile. An end with code 0 is intended: it is not started
 * again. `onEnd`: it will not be started again. The program has a process group of its own, so that
 * Ctrl-C reaches the launcher alone, which stops the parts in order. If the launcher dies first, the
 * program stops by itself.
 */
export function supervise(
  { name, script, env, answersAt, patienceMs, isForEver }: Program,
  onEnd: (reason: string, isClean: boolean) => void,
) {
  let hasAnswered = false;
  let timer: NodeJS.Timeout | undefined;
  let falls: number[] = [];
  let running: { child: ChildProcess; gone: Promise<Ended> } | null = null;
  begin();

  function begin(): void {
    const child = spawn(process.execPath, ["--import", STOP_WITH_PARENT, script], {
      cwd: ROOT,
      detached: true,
      stdio: ["ignore", "inherit", "inherit"],
      // npm is the launcher's to watch.
      env: { ...env, npm_lifecycle_event: undefined },
    });
    const gone: Promise<Ended> = once(child, "exit").then(
      ([code, end]) => ({
        reason: `${name} ended (${end ?? `code ${code}`})`,
        isClean: code === 0,
      }),
      (error: Error) => ({ reason: `${name}: ${error.message}`, isClean: false }),
    );
    running = { child, gone };
    void gone.then(({ reason, isClean }) => {
      // It was stopped.
      if (running?.child !== child) return;
      if (isClean || !hasAnswered) return onEnd(reason, isClean);
      const now = performance.now();
      falls = [...falls.filter((at) => now - at < MINUTE_MS), now];
      if (falls.length > FALLS_A_MINUTE && !isForEver) {
        const times = `${falls.length} times within a minute`;
        return onEnd(`${reason}: it fell ${times}, everything is stopped`, false);
      }
      const waitMs = 500 * (falls.length - 1);
      console.error(`${reason}: started again in ${waitMs / 1_000} s`);
      timer = setTimeout(begin, waitMs);
    });
  }

  return {
    /** Waits for its first answer. Before it, a fall is its end: its output says why. */
    async ready() {
      await untilAnswers(answersAt, name, running?.gone);
      hasAnswered = true;
    },
    async stop() {
      clearTimeout(timer);
      const last = running;
      running = null;
      if (last) await endChild(last.child, ["SIGTERM", patienceMs]);
    },
  };
}
