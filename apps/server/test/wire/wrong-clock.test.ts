import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../../../../tools/testing/eventually.ts";
import { openDatabase } from "../../src/postgres/database.ts";
import {
  ask,
  linkGroup,
  openOutside,
  order,
  type Outside,
  pay,
  publish,
  seeOrder,
  signIn,
  untilLink,
} from "./outside.ts";

const CHAT = -1_009_876_543_210;
const BUYER = 702;

let out: Outside;

beforeAll(async () => {
  out = await openOutside({ script: "apps/server/test/wire/shifted-machine.ts" });
});
afterAll(() => out?.close());

/** Signing in proves whether the process trusts its clock. */
async function signInStatus(): Promise<number> {
  const headers = { "x-telegram-init-data": out.initData(BUYER, "buyer", new Date()) };
  return (await out.call("POST", "/api/auth/acheteur", { headers })).status;
}

/** Of the machine's clock to the database's, in days, as the log says them. */
function distancesSaid(): number[] {
  const said = out.program.output().matchAll(/clock is (-?[\d.]+) s away/g);
  return [...said].map(([, seconds]) => Number(seconds) / 86_400);
}

test("a machine's clock forty days off, ahead and behind, removes nobody and holds no job back", async () => {
  const seller = await signIn(out, 701, "vendeur");
  const channel = await linkGroup(out, seller, { chatId: CHAT, terse: false });
  const product = await publish(out, seller, { groupId: channel.id });
  const buyer = await signIn(out, BUYER, "acheteur");
  const made = await order(out, buyer, product.reference);
  await pay(out, made);
  ask(out, { chatId: CHAT, telegramId: BUYER }, await untilLink(out, buyer, made.id));
  const isInside = async () =>
    expect((await seeOrder(out, buyer, made.id)).access?.status).toBe("inside");
  await eventually(isInside);

  out.program.child.kill("SIGUSR2");
  await eventually(async () => expect(await signInStatus()).toBe(503));
  // Money goes on: a purchase meanwhile is settled.
  const second = await order(out, buyer, product.reference);
  await pay(out, second);
  await eventually(async () => expect((await seeOrder(out, buyer, second.id)).status).toBe("paid"));
  out.program.child.kill("SIGUSR2");
  await eventually(() => distancesSaid().some((days) => Math.abs(days + 40) < 0.01));
  out.program.child.kill("SIGUSR2");
  await eventually(async () => expect(await signInStatus()).toBe(200));

  await isInside();
  expect(out.telegram.called("banChatMember")).toEqual([]);
  const database = openDatabase({ url: out.database.url, poolSize: 1 });
  const { rows } = await sql<{ topic: string; due_at: Date }>`
    SELECT topic, due_at FROM outbox WHERE due_at > clock_timestamp() + interval '1 hour'
  `.execute(database.db);
  await database.close();
  expect(rows).toEqual([]);
});
