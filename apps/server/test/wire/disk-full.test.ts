import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startEmbeddedPostgres } from "../../../../tools/postgres/embedded.ts";
import { openOutside, sendNotice } from "./outside.ts";
import { eventually } from "./program.ts";
import { countStored, IN_A_ROW, sendWebhooks } from "./webhook-load.ts";

const BACK_WITHIN_MS = 20_000;

let volume: string;
let isMounted = false;

beforeAll(() => {
  volume = mkdtempSync(join(tmpdir(), "sesame-small-disk-"));
  const mount = ["-t", "tmpfs", "-o", "size=300m", "none", volume];
  isMounted = process.getuid?.() === 0 && spawnSync("/bin/mount", mount).status === 0;
  if (isMounted) chmodSync(volume, 0o755);
  else process.stdout.write("NOT RUN: disk full: only root may mount a volume of its own here\n");
});
afterAll(() => {
  if (isMounted) spawnSync("/bin/umount", ["-l", volume]);
  rmSync(volume, { recursive: true, force: true });
});

test("a database whose disk is full is an outage: not ready, 503, and right again when there is room", async (context) => {
  if (!isMounted) return context.skip("needs a volume of its own");
  const database = await startEmbeddedPostgres({ dataDir: join(volume, "data"), durable: false });
  const out = await openOutside({ env: { DATABASE_URL: database.url } });
  const load = sendWebhooks(out, "full");
  await eventually(() => expect(load.inARow).toBeGreaterThan(IN_A_ROW));

  const filler = join(volume, "filler");
  const { bavail, bsize } = statfsSync(volume);
  writeFileSync(filler, Buffer.alloc(Number(bavail) * Number(bsize)));
  await eventually(async () => {
    const ready = await out.call<{ reason: string }>("GET", "/ready");
    expect([ready.status, ready.body.reason]).toEqual([503, "database-full"]);
  }, BACK_WITHIN_MS);
  await eventually(async () => {
    // Small ones still find room in pages that are there already.
    const body = JSON.stringify({ event: "payment.success", data: { id: "x".repeat(60_000) } });
    const refused = await sendNotice(out, body.replace("x", String(Math.random())));
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ success: false, code: "outage" });
  }, BACK_WITHIN_MS);

  rmSync(filler);
  load.inARow = 0;
  await eventually(async () => {
    expect((await out.call("GET", "/ready")).status).toBe(200);
    expect(load.inARow).toBeGreaterThan(IN_A_ROW);
  }, BACK_WITHIN_MS);
  await load.stop();
  expect(await countStored(database.url, "full")).toBeGreaterThanOrEqual(load.acknowledged.length);
  expect(out.program.output()).not.toContain('"bug"');
  process.stdout.write(`disk full: ${load.acknowledged.length} acknowledged, 0 lost\n`);
  await out.close();
  await database.stop();
});
