import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { findFreePorts } from "../../../../tools/launch/ports.ts";
import { startProduct } from "../../../../tools/launch/start-product.ts";
import { ownFolder } from "../../../../tools/postgres/leftovers.ts";
import { eventually } from "../../../../tools/testing/eventually.ts";
import { startFakeMoneroo, startFakeTelegram, WEBHOOK_SECRET } from "./stranger.ts";

const folder = ownFolder("process");
const telegram = await startFakeTelegram();
const moneroo = await startFakeMoneroo();
const env = {
  SELLER_BOT_TOKEN: "81:a",
  TELEGRAM_API_ROOT: telegram.root,
  MONEROO_SECRET_KEY: "a-secret-key-of-the-wire-tests",
  MONEROO_WEBHOOK_SECRET: WEBHOOK_SECRET,
  MONEROO_API_ROOT: moneroo.root,
};
let product = await startProduct({ dataDir: folder, env });
afterAll(async () => {
  await product.stop();
  await Promise.all([telegram.close(), moneroo.close()]);
  await rm(folder, { recursive: true, force: true });
});

describe("npm start with a bot's token", () => {
  test("is no demo: no emulators, no test durations, and the bots polled at the configured address", async () => {
    expect(product.emulatorUrl).toBeNull();
    const { port } = new URL(product.appUrl);
    await expect(fetch(`http://127.0.0.1:${Number(port) + 1}/`)).rejects.toThrow();
    const answer = await fetch(`${product.appUrl}/api/config/subscription_durations`);
    const options = (await answer.json()) as { price_tier: string }[];
    expect(options).toHaveLength(5);
    expect(options.map(({ price_tier }) => price_tier)).not.toContain("test");
    await eventually(() => expect(telegram.called("getUpdates").length).toBeGreaterThan(0));
  });

  test("a second one on the same DATA_DIR is refused with the reason, and harms nothing", async () => {
    const port = await findFreePorts(1);
    await expect(startProduct({ dataDir: folder, port, env })).rejects.toThrow(
      /Another program \(process \d+\) already runs on .*DATA_DIR/,
    );
    expect((await fetch(`${product.appUrl}/ready`)).status).toBe(200);
  });

  test("SIGTERM drains and stops everything, the long polls and the database too", async () => {
    expect(await product.stop(), product.output()).toBe(0);
    await expect(fetch(product.appUrl)).rejects.toThrow();
    expect(existsSync(join(folder, "postgres", "postmaster.pid"))).toBe(false);
    product = await startProduct({ dataDir: folder, env });
    expect((await fetch(`${product.appUrl}/ready`)).status).toBe(200);
  });
});
