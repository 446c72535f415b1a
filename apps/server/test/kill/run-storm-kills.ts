import { fileURLToPath } from "node:url";
import { freePort } from "../client.ts";
import { setTimeout as pace } from "node:timers/promises";
import type { Weather } from "../storm/run-storm.ts";
import type { Town } from "../storm/town.ts";
import { type ChildServer, COMPILED, startChildServer } from "./child-server.ts";

/** About as long as the deeds of a round take, and what they leave to do. */
const ROUND_MS = 400;

/** A process that works beside that of the test, on one database, is killed amid each round and started again. */
export function killBeside(rounds: number): Weather & { kills(): number } {
  let worker: ChildServer | undefined;
  let kills = 0;
  const errors: string[] = [];
  const kill = async () => {
    await worker?.kill();
    errors.push(...(worker?.said().split("\n") ?? []).filter((line) => line.startsWith("{")));
    worker = undefined;
  };
  return {
    rounds,
    kills: () => kills,
    async beside(town, draw) {
      worker ??= await startWorker(town);
      await pace(draw.upTo(ROUND_MS));
      await kill();
      kills += 1;
      worker = await startWorker(town);
    },
    async stop() {
      await kill();
      return errors;
    },
  };
}

async function startWorker({ app }: Town): Promise<ChildServer> {
  const { clock, environment, emulators } = app;
  return startChildServer({
    script: fileURLToPath(new URL("./storm-worker.ts", import.meta.url)),
    args: [String(clock.now().getTime() - clock.offsetMs())],
    env: {
      ...environment,
      PORT: String(await freePort()),
      CLOCK_URL: `${emulators.apiRoot}/emulators/clock`,
      ROLES: "worker",
      NODE_COMPILE_CACHE: COMPILED,
    },
  });
}
