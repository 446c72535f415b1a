import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const STOP_WITH_PARENT = new URL("./stop-with-parent.mjs", import.meta.url).href;
const READY_WITHIN_MS = 60_000;

export type Program = {
  name: string;
  /** Ends with the reason once the program is gone. */
  gone: Promise<{ reason: string; clean: boolean }>;
  stop(patienceMs: number): Promise<void>;
};

export type ProgramOptions = {
  name: string;
  script: string;
  env: NodeJS.ProcessEnv;
};

/**
 * Starts one of our programs in a process group of its own: Ctrl-C reaches us alone, and we stop
 * the parts in order. Should we die first, the program stops by itself.
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
