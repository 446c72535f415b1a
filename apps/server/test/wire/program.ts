import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const MAIN = "apps/server/src/main.ts";
/** As the launcher has it: each start then costs half. */
const COMPILED = join(ROOT, "node_modules", ".cache", "compiled");

export type Program = {
  readonly child: ChildProcess;
  /** Everything printed so far. */
  output(): string;
  /** → exit code; by signal, the signal's name. */
  readonly gone: Promise<number | string>;
  /** SIGTERM. → exit code, and how long it took. */
  stop(): Promise<{ code: number | string; tookMs: number }>;
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
    async stop() {
      const started = performance.now();
      child.kill("SIGTERM");
      const code = await gone;
      return { code, tookMs: performance.now() - started };
    },
  };
}

/** Waits for what must come true, looking often. Its own error is the last look's. */
export async function eventually<T>(look: () => Promise<T> | T, withinMs = 10_000): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    try {
      return await look();
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
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
  }, 30_000);
  if (ended) throw new Error(`the server ended:\n${program.output()}`);
}
