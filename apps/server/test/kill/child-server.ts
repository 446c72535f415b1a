import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { TooSlowToJudge } from "../../../../tools/testing/too-slow.ts";

export type ChildServer = {
  /** No warning, no drain: `kill -9`. Resolves once it is gone. */
  kill(): Promise<void>;
  /** Its last words, to explain a failure. */
  said(): string;
};

export type ChildOptions = {
  /** What node runs: the real `main.ts`, or a mutant of it. */
  readonly script: string;
  readonly args?: readonly string[];
  readonly env: Readonly<Record<string, string>>;
};

/** A start is mostly compiling; a restart must not be, nor the next test's. */
export const COMPILED = fileURLToPath(
  new URL("../../../../node_modules/.cache/compiled", import.meta.url),
);

/** Whoever started it may be ended itself: nothing of ours outlives that. */
export function endWithUs(child: ChildProcess): void {
  const end = () => child.kill("SIGKILL");
  process.once("exit", end);
  child.once("exit", () => process.off("exit", end));
}

const START_MS = 120_000;
const KEPT_CHARACTERS = 4_000;

/** A server in a process of its own. Resolves when it answers. */
export async function startChildServer(options: ChildOptions): Promise<ChildServer> {
  const child = spawn(process.execPath, [options.script, ...(options.args ?? [])], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"], ...options.env },
  });
  endWithUs(child);
  let said = "";
  const hear = (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-KEPT_CHARACTERS);
  };
  child.stdout?.on("data", hear);
  child.stderr?.on("data", hear);
  await untilListening(child, () => said);
  return {
    said: () => said,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
      child.kill("SIGKILL");
      await gone;
    },
  };
}

function untilListening(child: ChildProcess, said: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new TooSlowToJudge(`the start of a server (${said()})`, START_MS));
    }, START_MS);
    child.stdout?.on("data", () => {
      if (!said().includes("écoute")) return;
      clearTimeout(timer);
      resolve();
    });
    child.once("exit", (code) => {
      clearTimeout(timer);
      reject(new Error(`the server ended at once (${code}): ${said()}`));
    });
  });
}
