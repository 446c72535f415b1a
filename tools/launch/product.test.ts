import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startProduct } from "./start-product.ts";

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "sesame-product-"));
  chmodSync(dataDir, 0o755);
});

afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

/** Every process that names this data folder: launcher's children, watcher, PostgreSQL. */
function databaseLives(): boolean {
  try {
    const pid = readFileSync(join(dataDir, "postgres", "postmaster.pid"), "utf8").split("\n")[0];
    return readFileSync(`/proc/${pid}/cmdline`, "utf8") !== "";
  } catch {
    return false;
  }
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    (response) => response.ok,
    () => false,
  );
}

describe("npm start", () => {
  test("starts everything, finds its data again, and stops all within 10 s", async () => {
    const first = await startProduct({ dataDir });
    expect(await answers(`${first.appUrl}/ready`)).toBe(true);
    expect(await answers(`${first.worldUrl}/`)).toBe(true);
    const secrets = readFileSync(join(dataDir, "demo.json"), "utf8");
    const started = performance.now();
    await first.stop();
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(databaseLives()).toBe(false);

    const second = await startProduct({ dataDir });
    expect(readFileSync(join(dataDir, "demo.json"), "utf8")).toBe(secrets);
    await second.stop();
  });

  test("leaves nothing behind when it dies by kill -9, and the next start takes over", async () => {
    const first = await startProduct({ dataDir });
    const port = Number(new URL(first.appUrl).port);
    first.launcher.kill("SIGKILL");
    const second = await startProduct({ dataDir, port });
    expect(await answers(`${second.appUrl}/ready`)).toBe(true);
    await second.stop();
    expect(databaseLives()).toBe(false);
  });

  test("says that its port is taken, and ends", async () => {
    const first = await startProduct({ dataDir });
    const port = Number(new URL(first.appUrl).port);
    await expect(startProduct({ port })).rejects.toThrow(`Port ${port} (the app) is taken`);
    await first.stop();
  });

  test("refuses the demo in production, naming the variable", async () => {
    const attempt = startProduct({ dataDir, env: { NODE_ENV: "production" } });
    await expect(attempt).rejects.toThrow("SELLER_BOT_TOKEN");
  });

  test.each<Record<string, string>>([
    { NODE_ENV: "prod" },
    { HOST: "0.0.0.0" },
    { PUBLIC_URL: "https://sesame.example" },
  ])("takes %j for production: without a bot token it opens nothing", async (env) => {
    await expect(startProduct({ dataDir, env })).rejects.toThrow("SELLER_BOT_TOKEN");
    expect(databaseLives()).toBe(false);
  });

  test("refuses a weak secret of production before it opens the database", async () => {
    const env = {
      NODE_ENV: "production",
      PUBLIC_URL: "https://sesame.example",
      SELLER_BOT_TOKEN: "6100000001:AAqWeRtYuIoPaSdFgHjKlZxCvBnM1234567",
      SECRETS_KEY: Buffer.alloc(32, "8 bytes!").toString("base64"),
    };
    await expect(startProduct({ dataDir, env })).rejects.toThrow("SECRETS_KEY: too weak");
    expect(databaseLives()).toBe(false);
  });

  test("stops everything and fails when one part dies", async () => {
    const product = await startProduct({ dataDir });
    const children = readFileSync(
      `/proc/${product.launcher.pid}/task/${product.launcher.pid}/children`,
      "utf8",
    ).trim();
    const server = children.split(" ").map(Number).find(isServer);
    process.kill(server ?? 0, "SIGKILL");
    const [code] = (await once(product.launcher, "exit")) as [number];
    expect(code).toBe(1);
    expect(product.output()).toContain("The server ended (SIGKILL)");
    expect(databaseLives()).toBe(false);
  });
});

function isServer(pid: number): boolean {
  return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("apps/server/src/main.ts");
}
