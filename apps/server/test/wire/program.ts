import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { assert } from "@sesame/kernel";
import { eventually } from "../../../../tools/testing/eventually.ts";
import { TooSlowToJudge } from "../../../../tools/testing/too-slow.ts";
import { COMPILED, endWithUs } from "../kill/child-server.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const MAIN = "apps/server/src/main.ts";
/** A drain that lasts longer is ended by the program itself, with code 1 (`main.ts`). */
const DRAIN_MS = 8_000;

export type Program = {
  readonly child: ChildProcess;
  /** Everything printed so far. */
  output(): string;
  /** → exit code; by signal, the signal's name. */
  readonly gone: Promise<number | string>;
  /** SIGTERM. → exit code; by signal, the signal's name. */
  stop(): Promise<number | string>;
};

export type Env = Readonly<Record<string, string>>;

/** The real program, with this environment and nothing of ours. */
export function startServer(env: Env, script = MAIN): Program {
  const kept = ["PATH", "HOME", "TMPDIR", "LANG"];
  const inherited = Object.fromEntries(kept.map((name) => [name, process.env[name]]));
  const child = spawn(process.execPath, [script], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...inherited, NODE_COMPILE_CACHE: COMPILED, ...env },
  });
  endWithUs(child);
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
    });
  }
  const gone = once(child, "close").then(([code, signal]) => (code ?? signal) as number | string);
  return {
    child,
    output: () => printed,
    gone,
    stop() {
      child.kill("SIGTERM");
      return gone;
    },
  };
}

/** Stops it, and sees that it drained: code 1 says that it gave up after eight seconds. */
export async function drain(program: Program): Promise<void> {
  const started = performance.now();
  const code = await program.stop();
  const gaveUp = code === 1 && performance.now() - started >= DRAIN_MS;
  if (gaveUp) throw new TooSlowToJudge(`a drain (${program.output()})`, DRAIN_MS);
  assert(code === 0, `a stop ended with ${code}: ${program.output()}`);
}

/** Resolves when the program answers at `url`; throws with what it printed when it ends first. */
export async function untilReady(program: Program, url: string): Promise<void> {
  let ended = false;
  void program.gone.then(() => {
    ended = true;
  });
  await eventually(async () => {
    if (ended) return;
    const response = await fetch(`${url}/ready`);
    if (response.status !== 200) throw new Error(`/ready answered ${response.status}`);
  }, 120_000);
  if (ended) throw new Error(`the server ended:\n${program.output()}`);
}
