import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { ownFolder } from "../postgres/leftovers.ts";
import { environmentOfSuites } from "../testing/environment.ts";
import { ROOT } from "./build.ts";
import { findFreePorts } from "./ports.ts";
import type { ReadyMessage } from "./product.ts";
import { DEMO_PORTS } from "./settings.ts";

export type StartedProduct = Awaited<ReturnType<typeof startProduct>>;

/** The whole product, exactly as `npm start` runs it, for browser journeys and kill tests. */
export async function startProduct(
  options: {
    /** First of five neighbouring ports; when absent, free ones are found. */
    port?: number;
    /** When absent, a temporary folder that is removed at the stop. */
    dataDir?: string;
    env?: Record<string, string>;
  } = {},
) {
  const port = options.port ?? (await findFreePorts(DEMO_PORTS));
  const dataDir = options.dataDir ?? ownFolder("product");
  const launcher = spawn(process.execPath, [join(ROOT, "tools", "sesame.mjs"), "start"], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    // Real bots, databases or npm settings of the environment must not reach a test's product.
    env: {
      ...environmentOfSuites(process.env),
      // Half of the gate runs in another language, its products too.
      LANG: process.env["LANG"],
      PORT: String(port),
      DATA_DIR: dataDir,
      ...options.env,
    },
  });
  let printed = "";
  for (const stream of [launcher.stdout, launcher.stderr]) {
    stream?.on("data", (chunk: Buffer) => void (printed += chunk.toString()));
  }
  const ended = new Promise<void>((resolve) => launcher.once("exit", () => resolve()));
  const ready = await new Promise<ReadyMessage>((resolve, reject) => {
    launcher.once("message", (message) => resolve(message as ReadyMessage));
    void ended.then(() => reject(new Error(`The product did not start:\n${printed}`)));
  });
  return {
    ...ready,
    /** For tests that kill it. */
    launcher,
    /** Everything it printed so far. */
    output: () => printed,
    /** → the launcher's exit code; null when it was killed. */
    stop: async () => {
      launcher.kill("SIGTERM");
      await ended;
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
      return launcher.exitCode;
    },
  };
}
