import { spawnSync } from "node:child_process";
import { chmodSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { startEmbeddedPostgres } from "../../../../tools/postgres/embedded.ts";
import { ownFolder } from "../../../../tools/postgres/leftovers.ts";
import { eventually } from "../../../../tools/testing/eventually.ts";
import { findLost, openOutside, sendWebhook, sendWebhooks } from "./stranger.ts";

const volume = ownFolder("small-disk");
const mount = ["-t", "tmpfs", "-o", "size=300m", "none", volume];
const isMounted = process.getuid?.() === 0 && spawnSync("/bin/mount", mount).status === 0;
if (isMounted) chmodSync(volume, 0o755);
else process.stdout.write("NOT RUN: disk full: only root may mount a volume of its own here\n");
afterAll(() => {
  if (isMounted) spawnSync("/bin/umount", ["-l", volume]);
  rmSync(volume, { recursive: true, force: true });
});

test("a database whose disk is full is an outage: not ready, 503, and works again when there is room", async (context) => {
  if (!isMounted) return context.skip("needs a volume of its own");
  const database = await startEmbeddedPostgres({ dataDir: join(volume, "data"), durable: false });
  const out = await openOutside({ env: { DATABASE_URL: database.url } });
  const load = sendWebhooks(out, "full");
  await load.goesOn();

  const filler = join(volume, "filler");
  const { bavail, bsize } = statfsSync(volume);
  writeFileSync(filler, Buffer.alloc(Number(bavail) * Number(bsize)));
  await eventually(async () => {
    const ready = await out.call<{ reason: string }>("GET", "/ready");
    expect([ready.status, ready.body.reason]).toEqual([503, "database-full"]);
  });
  let large = 0;
  await eventually(async () => {
    // Small ones still fit into existing pages.
    const id = `large-${++large}-${"x".repeat(60_000)}`;
    const body = JSON.stringify({ event: "payment.success", data: { id } });
    const refused = await sendWebhook(out, body);
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ success: false, code: "outage" });
  });

  rmSync(filler);
  await eventually(async () => expect((await out.call("GET", "/ready")).status).toBe(200));
  await load.goesOn();
  await load.stop();
  expect(await findLost(database.url, load.acknowledged)).toEqual([]);
  expect(out.program.output()).not.toContain('"bug"');
  process.stdout.write(`disk full: ${load.acknowledged.length} acknowledged, 0 lost\n`);
  await out.close();
  await database.stop();
});
