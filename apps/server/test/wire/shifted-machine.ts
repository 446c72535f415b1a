import { SYNC_EVERY_MS } from "../../src/clock.ts";

/**
 * The program on a machine whose clock jumps: each SIGUSR2 moves `Date` to the next of these
 * offsets. The monotonic counter and the database are not affected, as on a real machine.
 */
const DAY_MS = 86_400_000;
const DISTANCES = [0, 40 * DAY_MS, -40 * DAY_MS, 0];

const MachineDate = Date;
let step = 0;

class ShiftedDate extends MachineDate {
  constructor(...given: [] | [string | number | Date]) {
    const [value] = given;
    super(value ?? ShiftedDate.now());
  }

  static override now(): number {
    return MachineDate.now() + (DISTANCES[step] ?? 0);
  }
}

globalThis.Date = ShiftedDate as DateConstructor;
process.on("SIGUSR2", () => {
  step += 1;
});
// How often the clocks are compared is proved with a test clock, beside `clock.ts`.
const { setTimeout } = globalThis;
globalThis.setTimeout = ((run: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) =>
  setTimeout(run, ms === SYNC_EVERY_MS ? 500 : ms, ...given)) as typeof setTimeout;
await import("../../src/main.ts");
