import { expect, test } from "vitest";
import { reportOutage } from "./loop.ts";

type Line = { readonly party: string; readonly places: Readonly<Record<string, number>> };

function createLog() {
  const lines: Line[] = [];
  return { lines, warn: (fields: object) => void lines.push(fields as Line) };
}

const SILENT = { party: "postgres", message: "postgres: unreachable" };

test("thirty loops that meet a silent database each second are one line in ten seconds", () => {
  const log = createLog();
  for (let second = 0; second < 30; second += 1) {
    for (let loop = 0; loop < 30; loop += 1) {
      reportOutage(log, SILENT, { name: `loop ${loop}`, nowMs: second * 1_000 + loop });
    }
  }
  expect(log.lines).toHaveLength(3);
  expect(log.lines[0]?.places).toEqual({ "loop 0": 1 });
  // Nothing is lost: what was met between two lines is counted in the second.
  expect(log.lines[1]?.places).toMatchObject({ "loop 0": 10, "loop 29": 10 });
});

test("two parties that are out, and two logs, are counted apart", () => {
  const [log, other] = [createLog(), createLog()];
  reportOutage(log, SILENT, "loop a");
  reportOutage(log, { party: "telegram", message: "telegram: 502" }, "loop a");
  reportOutage(other, SILENT, "loop a");
  expect(log.lines.map(({ party }) => party)).toEqual(["postgres", "telegram"]);
  expect(other.lines).toHaveLength(1);
});
