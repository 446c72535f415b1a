import { expect, test } from "vitest";
import { startFreezingProxy } from "./freezing-proxy.ts";
import { openOutside } from "./outside.ts";
import { startReplicatedDatabase } from "./replicated-database.ts";
import { findLost, sendWebhooks } from "./webhook-load.ts";

const ROUNDS = process.env["LONG"] === "1" ? 20 : 1;

test(`a standby promoted under load ${ROUNDS} times loses no acknowledged webhook`, async () => {
  const database = await startReplicatedDatabase();
  const proxy = await startFreezingProxy(database.url);
  const out = await openOutside({ env: { DATABASE_URL: proxy.url, ROLES: "http" } });
  const load = sendWebhooks(out, "failover");
  const outagesMs: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await database.addStandby();
    await load.goesOn();
    const killedAt = performance.now();
    // Until the address is moved, it leads to a machine that is no longer there.
    const promoted = await database.failOver();
    proxy.retarget(promoted);
    await load.goesOn();
    outagesMs.push(performance.now() - killedAt);
  }
  await load.stop();
  expect(await findLost(database.url, load.acknowledged)).toEqual([]);
  const longest = (Math.max(...outagesMs) / 1_000).toFixed(1);
  process.stdout.write(
    `failover: ${ROUNDS} promoted, ${load.acknowledged.length} acknowledged, 0 lost, ` +
      `back after ${longest} s at most\n`,
  );
  await out.close();
  await proxy.close();
  await database.close();
});
