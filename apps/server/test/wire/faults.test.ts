import { afterEach, describe, expect, test } from "vitest";
import { eventually } from "../../../../tools/testing/eventually.ts";
import { FAULT_EXIT_CODE } from "../../src/monitoring/process-faults.ts";
import { openOutside, type Outside, signIn } from "./stranger.ts";

const METRICS_TOKEN = "a-metrics-token-of-the-wire-tests";
const PLANT = new URL("./planted-fault.ts", import.meta.url).href;

let out: Outside;
afterEach(() => out.close());

function open(fault: string): Promise<Outside> {
  const env = { PLANTED_FAULT: fault, NODE_OPTIONS: `--import ${PLANT}`, METRICS_TOKEN };
  return openOutside({ env });
}

async function faultsCounted(): Promise<string> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const text = await (await fetch(`${out.url}/metrics`, { headers })).text();
  return text
    .split("\n")
    .filter((line) => line.startsWith("sesame_process_faults_total"))
    .join();
}

describe("the server's process", () => {
  test.each([
    ["a rejected promise nobody awaits", "rejection", "unhandledRejection"],
    ["a connection that breaks while nobody listens", "connection", "uncaughtException"],
  ])("survives %s: it is logged and counted", async (_what, fault, kind) => {
    out = await open(fault);
    const { token } = await signIn(out, 1_001, "vendeur");
    out.program.child.kill("SIGUSR2");
    await eventually(async () => {
      expect(await faultsCounted()).toBe(`sesame_process_faults_total{where="${kind}"} 1`);
    });
    expect(out.program.output()).toContain("a planted re");
    expect((await out.call("GET", "/api/channels", { token })).status).toBe(200);
  });

  test("ends after an exception that left its state unknown, so that it is started again", async () => {
    out = await open("exception");
    out.program.child.kill("SIGUSR2");
    expect(await out.program.gone).toBe(FAULT_EXIT_CODE);
    expect(out.program.output()).toContain("Sésame s'arrête pour repartir d'un état sûr");
    await out.restart();
    expect((await fetch(`${out.url}/ready`)).status).toBe(200);
  });
});
