import { type ChildProcess, spawn } from "node:child_process";

export type ChildServer = {
  /** No warning, no drain: `kill -9`. Resolves once it is gone. */
  kill(): Promise<void>;
};

export type ChildOptions = {
  /** What node runs: the real `main.ts`, or a mutant of it. */
  readonly script: string;
  readonly env: Readonly<Record<string, string>>;
};

const START_MS = 20_000;

/** A server in a process of its own. Resolves when it answers. */
export async function startChildServer(options: ChildOptions): Promise<ChildServer> {
  const child = spawn(process.execPath, [options.script], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"], ...options.env },
  });
  await untilListening(child);
  // An unread pipe would block the child.
  child.stdout?.resume();
  child.stderr?.resume();
  return {
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
      child.kill("SIGKILL");
      await gone;
    },
  };
}

function untilListening(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = "";
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error(`the server did not start: ${said}`));
    }, START_MS);
    const listen = (chunk: Buffer) => {
      said += chunk.toString();
      if (!said.includes("écoute")) return;
      clearTimeout(timer);
      resolve();
    };
    child.stdout?.on("data", listen);
    child.stderr?.on("data", listen);
    child.once("exit", (code) => {
      clearTimeout(timer);
      reject(new Error(`the server ended at once (${code}): ${said}`));
    });
  });
}
