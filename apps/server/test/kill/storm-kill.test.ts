import { setTimeout as pace } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { SEED } from "../../../../tools/testing/seeded.ts";
import { type Program, startChildServer } from "../child-server.ts";
import { freePort } from "../http.ts";
import { runStorm, type Weather } from "../storm/run-storm.ts";
import type { StormState } from "../storm/state.ts";

const KILLS = 50;

test.runIf(process.env["LONG"] === "1")(
  `whatever happens at once beside a killed process, no work is left undone or done twice (SESAME_SEED=${SEED})`,
  async () => {
    const weather = killBeside(KILLS);
    await runStorm(SEED, weather);
    expect(weather.kills()).toBe(KILLS);
  },
);

/** About as long as a round's actions, and the work they cause. */
const ROUND_MS = 400;

/** A second process on the same database is killed amid each round and started again. */
function killBeside(rounds: number): Weather & { kills(): number } {
  let worker: Program | undefined;
  let kills = 0;
  const errors: string[] = [];
  const kill = async () => {
    await worker?.kill();
    errors.push(...(worker?.output().split("\n") ?? []).filter((line) => line.startsWith("{")));
    worker = undefined;
  };
  return {
    rounds,
    kills: () => kills,
    async beside(storm, draw) {
      worker ??= await startWorker(storm);
      await pace(draw.upTo(ROUND_MS));
      await kill();
      kills += 1;
      worker = await startWorker(storm);
    },
    async stop() {
      await kill();
      return errors;
    },
  };
}

async function startWorker({ app }: StormState): Promise<Program> {
  const { clock, environment, emulators } = app;
  const env = {
    ...environment,
    PORT: String(await freePort()),
    CLOCK_URL: `${emulators.apiRoot}/emulators/clock`,
    ROLES: "worker",
  };
  const stoodAt = String(clock.now().getTime() - clock.offsetMs());
  const script = fileURLToPath(new URL("./storm-worker.ts", import.meta.url));
  return startChildServer(script, env, [stoodAt]);
}
