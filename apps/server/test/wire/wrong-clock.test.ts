import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { eventually } from "../../../../tools/testing/eventually.ts";
import { DATES_AHEAD } from "../../src/application.ts";
import { type Db, many, openDatabase } from "../../src/postgres/database.ts";
import { orderProduct } from "../sales.ts";
import { openOwnDatabase } from "../tables.ts";
import { openOutside, openShop, pay, seeOrder, signIn, untilLink } from "./stranger.ts";

const CHAT = -1_009_876_543_210;
const BUYER = 702;

const script = "apps/server/test/wire/shifted-machine.ts";

const out = await openOutside({ script });
const { db, close } = openDatabase({ url: out.database.url, poolSize: 1 });
afterAll(async () => {
  await close();
  await out.close();
});

/** Signing in proves whether the process trusts its clock. */
async function signInStatus(): Promise<number> {
  const headers = { "x-telegram-init-data": out.initData(BUYER, "buyer", new Date()) };
  return (await out.call("POST", "/api/auth/acheteur", { headers })).status;
}

/** The machine's offsets from the database's clock, in days, from the log. */
function distancesSaid(): number[] {
  const said = out.program.output().matchAll(/clock is (-?[\d.]+) s away/g);
  return [...said].map(([, seconds]) => Number(seconds) / 86_400);
}

/** More could not end within an hour without an operator. */
const MEMBERS = 40;

/** People whose time ends within the forty days. */
async function addMembers(db: Db, groupId: string): Promise<void> {
  await sql`
    WITH made AS (
      INSERT INTO people (telegram_id, first_name, created_at, seen_at)
      SELECT 9000000000 + n, 'Membre', now(), now() FROM generate_series(1, ${MEMBERS}) n RETURNING id
    ), sold AS (SELECT id FROM orders WHERE status = 'paid' LIMIT 1)
    INSERT INTO accesses (person_id, group_id, order_id, status, started_at, ends_at, updated_at)
    SELECT made.id, ${groupId}::bigint, sold.id, 'inside', now(), now() + interval '20 days', now()
    FROM made, sold
  `.execute(db);
}

/** Where an instant is further in the future than ever written. */
async function findAhead(db: Db): Promise<string[]> {
  const found: string[] = [];
  for (const { table, column, longestMs, where = "true" } of DATES_AHEAD) {
    const rows = await many(db)`
      SELECT FROM ${sql.table(table)} WHERE ${sql.ref(column)}
        > pg_catalog.clock_timestamp() + ${longestMs + 1_000} * interval '1 millisecond'
        AND ${sql.raw(where)}`;
    if (rows.length > 0) found.push(`${table}.${column}`);
  }
  const late = await many<{ topic: string }>(db)`
    SELECT topic FROM outbox WHERE due_at > pg_catalog.clock_timestamp() + interval '1 hour'
    UNION ALL SELECT 'update' FROM telegram_updates
    WHERE handled_at IS NULL AND due_at > pg_catalog.clock_timestamp() + interval '1 hour'`;
  return [...found, ...late.map(({ topic }) => topic)];
}

test("a machine's clock forty days off, ahead and behind, removes nobody and delays no job", async () => {
  const { group, product } = await openShop(out, 701, CHAT);
  const buyer = await signIn(out, BUYER, "acheteur");
  const made = await orderProduct(out, buyer, product.reference);
  await pay(out, made);
  out.telegram.ask(CHAT, BUYER, await untilLink(out, buyer, made.id));
  const isInside = async () =>
    expect((await seeOrder(out, buyer, made.id)).access?.status).toBe("inside");
  await eventually(isInside);
  await addMembers(db, group.id);
  // A link is being created, and is not done before the clock is right again.
  const other = await signIn(out, BUYER + 1, "acheteur");
  const under = await orderProduct(out, other, product.reference);
  const silence = Promise.withResolvers<void>();
  out.telegram.before = (path) => (path.endsWith("/getUpdates") ? undefined : silence.promise);
  await pay(out, under);
  await eventually(async () =>
    expect(await many(db)`SELECT FROM outbox WHERE lease IS NOT NULL`).not.toEqual([]),
  );

  out.program.child.kill("SIGUSR2");
  await eventually(async () => expect(await signInStatus()).toBe(503));
  // Sales continue: a purchase meanwhile is settled.
  const second = await orderProduct(out, buyer, product.reference);
  await pay(out, second);
  await eventually(async () => expect((await seeOrder(out, buyer, second.id)).status).toBe("paid"));
  out.program.child.kill("SIGUSR2");
  await eventually(() => distancesSaid().some((days) => Math.abs(days + 40) < 0.01));
  out.program.child.kill("SIGUSR2");
  await eventually(async () => expect(await signInStatus()).toBe(200));

  silence.resolve();
  await untilLink(out, other, under.id);
  await isInside();
  expect(await many(db)`SELECT FROM accesses WHERE status = 'inside'`).toHaveLength(1 + MEMBERS);
  expect(out.telegram.called("banChatMember")).toEqual([]);
  expect(await findAhead(db)).toEqual([]);
});

/** The database's clock as statements read it, some days off. */
async function shiftDatabase(db: Db): Promise<(days: number) => Promise<unknown>> {
  await sql`CREATE SCHEMA shifted`.execute(db);
  await sql`CREATE TABLE shifted.distance AS SELECT 0 AS days`.execute(db);
  for (const name of ["clock_timestamp", "statement_timestamp", "transaction_timestamp", "now"]) {
    await sql`
      CREATE FUNCTION ${sql.table(`shifted.${name}`)}() RETURNS timestamptz LANGUAGE sql STABLE AS ${sql.lit(
        `SELECT pg_catalog.${name}() + (SELECT days FROM shifted.distance) * interval '1 day'`,
      )}
    `.execute(db);
  }
  return (days) => sql`UPDATE shifted.distance SET days = ${days}`.execute(db);
}

test("a machine and its database, both forty days off and back, leave no work that waits for those days", async () => {
  const mine = await openOwnDatabase(1);
  const shift = await shiftDatabase(mine.db);
  const url = new URL(mine.url);
  url.searchParams.set("options", "-c search_path=public,shifted,pg_catalog");
  const both = await openOutside({ script, env: { DATABASE_URL: url.href } });
  const jump = async (days: number) => {
    both.program.child.kill("SIGUSR2");
    await shift(days);
  };
  const { product } = await openShop(both, 711, CHAT);
  const buyer = await signIn(both, 712, "acheteur");
  const asked = await orderProduct(both, buyer, product.reference);

  // Telegram does not answer meanwhile.
  both.telegram.trouble = { status: 502, body: "" };
  both.moneroo.trouble = { status: 502, body: "" };
  await jump(40);
  await pay(both, asked);
  const put = ["outbox.due_at", "payment_checks.due_at", "groups.recheck_due_at"];
  await eventually(async () =>
    expect(await findAhead(mine.db)).toEqual(expect.arrayContaining(put)),
  );
  await jump(-40);
  const late = () =>
    mine.sql`SELECT FROM groups WHERE recheck_due_at < pg_catalog.now() - interval '39 days'`;
  await eventually(async () => expect(await late()).toHaveLength(1));
  await jump(0);
  both.telegram.trouble = null;
  both.moneroo.trouble = null;
  // Forty days later the session had expired.
  const again = await eventually(() => signIn(both, 712, "acheteur"));
  await eventually(async () => expect((await seeOrder(both, again, asked.id)).status).toBe("paid"));
  await untilLink(both, again, asked.id);
  await eventually(async () => expect(await findAhead(mine.db)).toEqual([]));
  await both.close();
  await mine.close();
});
