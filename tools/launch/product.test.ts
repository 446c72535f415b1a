import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { assert } from "@sesame/kernel";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ownFolder } from "../postgres/leftovers.ts";
import { eventually } from "../testing/eventually.ts";
import { isDrawn } from "../testing/seeded.ts";
import { FALLS_A_MINUTE, untilAnswers } from "./programs.ts";
import { type StartedProduct, startProduct } from "./start-product.ts";

let dataDir: string;

beforeEach(() => {
  dataDir = ownFolder("product");
});

afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

/** The process of this data folder's PostgreSQL; null when it does not run. */
function databaseId(): number | null {
  const file = join(dataDir, "postgres", "postmaster.pid");
  const pid = existsSync(file) ? Number.parseInt(readFileSync(file, "utf8"), 10) : 0;
  return runs(pid, "postgres") ? pid : null;
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    (response) => response.ok,
    () => false,
  );
}

describe.runIf(isDrawn(0))("npm start", () => {
  test("starts everything, stops all in good order, and finds its data again", async () => {
    const first = await startProduct({ dataDir });
    expect(await answers(`${first.appUrl}/ready`)).toBe(true);
    expect(await answers(`${first.emulatorUrl}/`)).toBe(true);
    const secrets = readFileSync(join(dataDir, "demo.json"), "utf8");
    expect(await first.stop(), first.output()).toBe(0);
    expect(databaseId()).toBeNull();
    expect(await answers(first.appUrl)).toBe(false);

    const second = await startProduct({ dataDir });
    expect(readFileSync(join(dataDir, "demo.json"), "utf8")).toBe(secrets);
    await second.stop();
  });

  test("leaves nothing behind when it dies by kill -9, and starts again", async () => {
    const first = await startProduct({ dataDir });
    const port = Number(new URL(first.appUrl).port);
    first.launcher.kill("SIGKILL");
    const second = await startProduct({ dataDir, port });
    expect(await answers(`${second.appUrl}/ready`)).toBe(true);
    await second.stop();
    expect(databaseId()).toBeNull();
  });

  test("reports that its port is taken, and ends", async () => {
    const first = await startProduct({ dataDir });
    const port = Number(new URL(first.appUrl).port);
    await expect(startProduct({ port })).rejects.toThrow(`Port ${port} (the app) is taken`);
    await first.stop();
  });
});

describe.runIf(isDrawn(1))("npm start", () => {
  test.each<Record<string, string>>([
    { NODE_ENV: "production" },
    { NODE_ENV: "prod" },
    { HOST: "0.0.0.0" },
    { PUBLIC_URL: "https://sesame.example" },
  ])("treats %j as production: without a bot token it opens nothing", async (env) => {
    await expect(startProduct({ dataDir, env })).rejects.toThrow("SELLER_BOT_TOKEN");
    expect(databaseId()).toBeNull();
  });

  test("refuses a weak secret of production before it opens the database", async () => {
    const env = {
      NODE_ENV: "production",
      PUBLIC_URL: "https://sesame.example",
      SELLER_BOT_TOKEN: "6100000001:AAqWeRtYuIoPaSdFgHjKlZxCvBnM1234567",
      SECRETS_KEY: Buffer.alloc(32, "8 bytes!").toString("base64"),
    };
    await expect(startProduct({ dataDir, env })).rejects.toThrow("SECRETS_KEY: too weak");
    expect(databaseId()).toBeNull();
  });

  test("starts its server again when it dies, beside the same database and the same emulators", async () => {
    const product = await startProduct({ dataDir });
    const database = databaseId();
    expect(database).not.toBeNull();
    const emulators = await childOf(product, EMULATORS);
    const server = await childOf(product, SERVER);
    process.kill(server, "SIGKILL");
    expect(await childOf(product, SERVER, server)).not.toBe(server);
    await untilAnswers(`${product.appUrl}/ready`, "The server");
    expect(product.output()).toContain("The server ended (SIGKILL): started again in 0 s");
    expect(databaseId()).toBe(database);
    expect(await childOf(product, EMULATORS)).toBe(emulators);
    await product.stop();
    expect(databaseId()).toBeNull();
  });
});

describe.runIf(isDrawn(2))("npm start", () => {
  test("starts its emulators again when they die, and the server goes on", async () => {
    const product = await startProduct({ dataDir });
    const emulators = await childOf(product, EMULATORS);
    const server = await childOf(product, SERVER);
    process.kill(emulators, "SIGKILL");
    await childOf(product, EMULATORS, emulators);
    await untilAnswers(`${product.emulatorUrl}/`, "The emulators");
    expect(await answers(`${product.appUrl}/ready`)).toBe(true);
    expect(await childOf(product, SERVER)).toBe(server);
    await product.stop();
  });

  test("stops everything and prints why when its server falls again and again", async () => {
    const product = await startProduct({ dataDir });
    const ended = once(product.launcher, "exit");
    let server = 0;
    for (let falls = 0; falls <= FALLS_A_MINUTE; falls++) {
      server = await childOf(product, SERVER, server);
      process.kill(server, "SIGKILL");
    }
    expect(await ended).toEqual([1, null]);
    expect(product.output()).toContain(
      `The server ended (SIGKILL): it fell ${FALLS_A_MINUTE + 1} times within a minute`,
    );
    expect(databaseId()).toBeNull();
  });

  test("stops everything when its server is asked to end", async () => {
    const product = await startProduct({ dataDir });
    const ended = once(product.launcher, "exit");
    process.kill(await childOf(product, SERVER), "SIGTERM");
    expect(await ended).toEqual([0, null]);
    expect(databaseId()).toBeNull();
  });
});

const SERVER = "apps/server/src/main.ts";
const EMULATORS = "apps/emulators/src/main.ts";

/** The launcher's child that runs the program, once there is one other than `before`. */
function childOf(product: StartedProduct, script: string, before = 0): Promise<number> {
  return eventually(() => {
    const { pid } = product.launcher;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").match(/\d+/g) ?? [];
    const found = children.map(Number).find((child) => child !== before && runs(child, script));
    assert(found !== undefined, `the launcher runs no ${script}:\n${product.output()}`);
    return found;
  });
}

function runs(pid: number, script: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(script);
  } catch {
    return false;
  }
}
