import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { Provided } from "./payout-town.ts";
import type { CallStep, Instant } from "./provider-proxy.ts";
import { type PayoutKill, runPayoutKills } from "./run-payout-kills.ts";
import { isDrawn, SEED } from "../../../../tools/testing/seeded.ts";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const isBuilt = existsSync(at("../../../web/dist/client/.vite/manifest.json"));
const REAL = at(isBuilt ? "../../src/main.ts" : "./without-pages.ts");
const MUTANT = at("./send-again.ts");
const isLong = process.env["LONG"] === "1";

const INSTANTS: readonly Instant[] = ["before", "after", "answered"];
const FAULTS = ["timeout-after", "500-after", "late-success", "insufficient-float"] as const;

const stepsOf = (lane: Provided): CallStep[] =>
  lane === "moneroo" ? ["submit", "lookup"] : ["prepare", "submit", "lookup"];

/**
 * With LONG, every instant of every call, under every fault of the provider; else, of one provider,
 * all instants of the call that moves money, one of each other, and a fault.
 */
function planFor(lane: Provided, nth: number): PayoutKill[] {
  const steps = stepsOf(lane);
  const instants = steps.flatMap((step) =>
    INSTANTS.map((instant): PayoutKill => ({ lane, step, instant })),
  );
  if (isLong) {
    return [undefined, ...FAULTS].flatMap((fault) =>
      instants.map((kill) => (fault ? { ...kill, fault } : kill)),
    );
  }
  const fault = FAULTS[nth % FAULTS.length] ?? "late-success";
  return [
    ...instants.filter(({ step, instant }) => step === "submit" || instant === "after"),
    { lane, step: "submit", instant: "before", fault },
  ];
}

describe("kill -9 of the server at each step of a payout", () => {
  const lanes: [Provided, number][] = [
    ["paydunya", 0],
    ["moneroo", 1],
    ["fedapay", 3],
  ];
  test.each(lanes.filter((_, nth) => isDrawn(nth)))(
    "by %s: at most one payment, exactly one where it can be asked, and books that agree",
    async (lane, nth) => {
      const plan = planFor(lane, nth);
      const report = await runPayoutKills(REAL, plan);
      process.stdout.write(`seed ${SEED} ${JSON.stringify({ lane, ...report })}\n`);
      expect(report).toMatchObject({ kills: plan.length, doubled: [], lost: [], broken: [] });
    },
    3_600_000,
  );

  test("shows what an engine that tells again what it cannot find pays twice", async () => {
    const report = await runPayoutKills(MUTANT, [
      { lane: "moneroo", step: "submit", instant: "after" },
    ]);
    expect(report.doubled.length).toBeGreaterThan(0);
  }, 600_000);
});
