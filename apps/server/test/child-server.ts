import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { assert } from "@sesame/kernel";
import { eventually } from "../../../tools/testing/eventually.ts";
import { TooSlow } from "../../../tools/testing/failures.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const MAIN = "apps/server/src/main.ts";
/** A start is mostly compiling; a restart must not compile again, nor the next test. */
const COMPILED = fileURLToPath(new URL("../../../node_modules/.cache/compiled", import.meta.url));
const START_MS = 120_000;
/** The program itself ends a longer drain, with code 1 (`main.ts`). */
const DRAIN_MS = 8_000;

export type Program = ReturnType<typeof startServer>;

export type Env = Readonly<Record<string, string>>;

/** The real program, or a mutant of it, with this environment only. */
export function startServer(env: Env, script = MAIN, args: readonly string[] = []) {
  const kept = ["PATH", "HOME", "TMPDIR", "LANG"];
  const inherited = Object.fromEntries(kept.map((name) => [name, process.env[name]]));
  const child = spawn(process.execPath, [script, ...args], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...inherited, NODE_COMPILE_CACHE: COMPILED, ...env },
  });
  // If the test itself is ended, the program must not outlive it.
  const end = () => child.kill("SIGKILL");
  process.once("exit", end);
  child.once("exit", () => process.off("exit", end));
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
    });
  }
  /** The exit code; by signal, the signal's name. */
  const gone = once(child, "close").then(([code, signal]) => (code ?? signal) as number | string);
  return {
    child,
    /** Everything printed so far. */
    output: () => printed,
    gone,
    /** SIGTERM. */
    stop() {
      child.kill("SIGTERM");
      return gone;
    },
    /** `kill -9`, without a drain. Resolves once it is gone. */
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    },
  };
}

/** Stops it, and checks that it drained: code 1 means that it gave up after eight seconds. */
export async function drain(program: Program): Promise<void> {
  const started = performance.now();
  const code = await program.stop();
  const gaveUp = code === 1 && performance.now() - started >= DRAIN_MS;
  if (gaveUp) throw new TooSlow(`a drain (${program.output()})`, DRAIN_MS);
  assert(code === 0, `a stop ended with ${code}: ${program.output()}`);
}

/** Throws with the program's output if it ends before `look` is true. */
async function untilTrue(program: Program, look: () => Promise<boolean> | boolean): Promise<void> {
  let ended = false;
  void program.gone.then(() => {
    ended = true;
  });
  await eventually(() => ended || look(), START_MS);
  if (ended) throw new Error(`the server ended:\n${program.output()}`);
}

/** Resolves when the program answers at `url`. */
export const untilReady = (program: Program, url: string): Promise<void> =>
  untilTrue(program, async () => {
    const { status } = await fetch(`${url}/ready`);
    if (status !== 200) throw new Error(`/ready answered ${status}`);
    return true;
  });

/** A server, or a mutant without /ready. Resolves when it reports that it listens. */
export async function startChildServer(script: string, env: Env, args: readonly string[] = []) {
  const program = startServer(env, script, args);
  try {
    await untilTrue(program, () => program.output().includes("écoute"));
  } catch (error) {
    if (program.child.exitCode !== null) throw error;
    program.child.kill("SIGKILL");
    throw new TooSlow(`the start of a server (${program.output()})`, START_MS);
  }
  return program;
}
