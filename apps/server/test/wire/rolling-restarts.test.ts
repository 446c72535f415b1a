import { expect, test } from "vitest";
import { eventually } from "../../../../tools/testing/eventually.ts";
import { freePort } from "../client.ts";
import { setTimeout as pace } from "node:timers/promises";
import { startBalancer } from "./balancer.ts";
import { signNotice } from "./fake-moneroo.ts";
import { openOutside, WEBHOOK_SECRET } from "./outside.ts";
import { drain, startServer, untilReady } from "./program.ts";

const ROUNDS = process.env["LONG"] === "1" ? 100 : 2;
const LANES = 2;
const PACE_MS = 20;

test(`${ROUNDS} rolling restarts behind a balancer that asks /ready lose no request`, async () => {
  const roles = { ROLES: "http", DRAIN_SECONDS: "3" };
  const out = await openOutside({ env: roles });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const second = { ...out.env, ...roles, PORT: String(port) };
  const programs = [out.program, startServer(second)];
  const places = [
    { env: { ...out.env, ...roles }, url: out.url },
    { env: second, url },
  ];
  if (programs[1]) await untilReady(programs[1], url);
  const balancer = await startBalancer([out.url, url]);
  await eventually(() => expect(balancer.ready()).toHaveLength(2));

  const statuses = new Map<string, number>();
  let on = true;
  const count = (what: string) => statuses.set(what, (statuses.get(what) ?? 0) + 1);
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    for (let index = 0; on; index += 1) {
      await pace(PACE_MS);
      const body = JSON.stringify({ event: "payment.success", data: { id: `${lane}-${index}` } });
      const posted = await fetch(`${balancer.url}/webhooks/moneroo`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "x-moneroo-signature": signNotice(body, WEBHOOK_SECRET),
        },
        body,
      }).catch(String);
      count(`webhook ${typeof posted === "string" ? posted : posted.status}`);
      // Reads are limited per address, and all lanes have one.
      if (index % 5 > 0) continue;
      const read = await fetch(`${balancer.url}/api/config/subscription_durations`).catch(String);
      if (typeof read !== "string") await read.arrayBuffer();
      count(`read ${typeof read === "string" ? read : read.status}`);
    }
  });
  for (let round = 0; round < ROUNDS; round += 1) {
    const index = round % 2;
    const [place, program] = [places[index], programs[index]];
    if (!place || !program) throw new Error("two programs take turns");
    await drain(program);
    programs[index] = startServer(place.env);
    await untilReady(programs[index], place.url);
    await eventually(() => expect(balancer.ready()).toHaveLength(2));
  }
  on = false;
  await Promise.all(lanes);
  expect([...statuses.keys()].toSorted()).toEqual(["read 200", "webhook 200"]);
  const sent = [...statuses.values()].reduce((sum, each) => sum + each, 0);
  process.stdout.write(`rolling restarts: ${ROUNDS}, ${sent} requests, 0 lost\n`);

  await balancer.close();
  await Promise.all(programs.map((program) => program.stop()));
  await out.close();
});
