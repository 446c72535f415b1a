import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const program = fileURLToPath(new URL("./main.ts", import.meta.url));

const SETTINGS = {
  PATH: process.env.PATH ?? "",
  APP_URL: "http://127.0.0.1:9",
  EMULATORS_PORT: "0",
  EMULATORS_SELLER_PORT: "0",
  EMULATORS_BUYER_PORT: "0",
  EMULATORS_AGENT_PORT: "0",
  SELLER_BOT_TOKEN: "1:a",
  BUYER_BOT_TOKEN: "2:b",
  MONEROO_SECRET_KEY: "sk",
  MONEROO_WEBHOOK_SECRET: "wh",
};

function start(settings: Record<string, string>) {
  const child = spawn(process.execPath, [program], { env: settings });
  const said = { out: "", err: "" };
  child.stdout.on("data", (chunk: Buffer) => {
    said.out += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    said.err += chunk.toString();
  });
  return { child, said };
}

test("the program prints when it is ready and ends at SIGTERM", async () => {
  const { child, said } = start(SETTINGS);
  while (!said.out.includes("emulators ready")) await once(child.stdout, "data");
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
});

test("the program does not start in production, nor without its settings", async () => {
  const refused = start({ ...SETTINGS, NODE_ENV: "production" });
  expect((await once(refused.child, "exit"))[0]).toBe(1);
  expect(refused.said.err).toContain('NODE_ENV="production"');
  const { APP_URL: _none, ...rest } = SETTINGS;
  const incomplete = start(rest);
  expect((await once(incomplete.child, "exit"))[0]).toBe(1);
  expect(incomplete.said.err).toContain("APP_URL is not set");
});
