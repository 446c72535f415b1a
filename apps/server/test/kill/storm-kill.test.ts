import { expect, test } from "vitest";
import { SEED } from "../../../../tools/testing/seeded.ts";
import { killBeside } from "./run-storm-kills.ts";
import { runStorm } from "../storm/run-storm.ts";

const KILLS = 50;

test.runIf(process.env["LONG"] === "1")(
  `whatever happens at once beside a process that is killed, nothing is left undone or done twice (SESAME_SEED=${SEED})`,
  async () => {
    const weather = killBeside(KILLS);
    await runStorm(SEED, weather);
    expect(weather.kills()).toBe(KILLS);
  },
);
