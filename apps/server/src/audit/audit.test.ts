import { HOUR_MS } from "@sesame/kernel";
import { type RawBuilder, sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startTestApp } from "../../test/harness.ts";
import { keepTables, pastGuards } from "../../test/tables.ts";
import { openDatabase } from "../postgres/database.ts";
import { anchorChain, audit, checkChain, type AuditEntry, SYSTEM } from "./audit.store.ts";

const app = await startTestApp();
const emptyLog = await keepTables(app.db, [
  "audit_log",
  "audit_head",
  "audit_anchors",
  "audit_checks",
  "alerts",
]);
/** Each test writes the log from its first row, whatever another did to it. */
beforeEach(() => emptyLog());
afterEach(() => expect(app.takeErrors()).toEqual([]));

const ENTRY = { actor: SYSTEM, action: "test.do", subject: "thing:1" };
const write = (auditEntry: Partial<AuditEntry>) =>
  app.db.transaction().execute((tx) => audit(tx, { ...ENTRY, ...auditEntry }, app.clock.now()));

async function writeSome(count: number): Promise<void> {
  for (let n = 1; n <= count; n += 1) {
    await write({ subject: `thing:${n}`, before: { amount: 5_000n, n }, after: { n: n + 1 } });
  }
}

const tamper = (...changes: RawBuilder<unknown>[]) => pastGuards(app.db, ...changes);

const broken = async (): Promise<string[]> =>
  (await checkChain(app.db)).map(({ invariant, subject }) => `${invariant} ${subject}`);

const rehash = sql`UPDATE audit_log a SET hash = sha256(convert_to(audit_text(a), 'UTF8'))`;

describe("the audit log", () => {
  test("records who did what to what, before and after, and is whole", async () => {
    const seller = await app.signInSeller();
    const actor = { personId: BigInt(seller.id), role: "seller" } as const;
    await write({
      actor,
      before: { amount: 2n ** 60n, at: app.clock.now() },
      after: { b: [1, null, "é\0\ud800"], a: true, none: undefined },
      reason: "Parce que",
    });
    const rows = await app.sql`
      SELECT seq, at, actor_id, actor_role, action, subject, before::text, after, reason
      FROM audit_log`;
    expect(rows).toEqual([
      {
        seq: 1n,
        at: app.clock.now(),
        actor_id: actor.personId,
        actor_role: "seller",
        action: "test.do",
        subject: "thing:1",
        before: `{"at": "${app.clock.now().toISOString()}", "amount": ${2n ** 60n}}`,
        after: { a: true, b: [1, null, "é\ufffd\ufffd"] },
        reason: "Parce que",
      },
    ]);
    expect(await broken()).toEqual([]);
  });

  test("is one chain without a gap when many write at once, some of whom roll back", async () => {
    const database = openDatabase({ url: app.databaseUrl, poolSize: 12 });
    const writeOne = (n: number) =>
      database.db.transaction().execute(async (tx) => {
        await audit(tx, { ...ENTRY, subject: `thing:${n}` }, app.clock.now());
        if (n % 5 === 0) throw new Error("given up");
      });
    const numbers = Array.from({ length: 100 }, (_, n) => n);
    const outcomes = await Promise.allSettled(numbers.map(writeOne));
    await database.close();
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(80);
    const rows = await app.sql<{ count: bigint; last: bigint }>`
      SELECT count(*) AS count, max(seq) AS last FROM audit_log`;
    expect(rows).toEqual([{ count: 80n, last: 80n }]);
    expect(await broken()).toEqual([]);
  });

  test.each<[string, RawBuilder<unknown>]>([
    ["a change", sql`UPDATE audit_log SET reason = 'other'`],
    ["a removal", sql`DELETE FROM audit_log`],
    ["being emptied", sql`TRUNCATE audit_log`],
    ["a change of an anchor", sql`UPDATE audit_anchors SET hash = ''`],
    ["a removal of its head", sql`DELETE FROM audit_head`],
    ["a head set back", sql`UPDATE audit_head SET seq = 1`],
  ])("refuses %s", async (_what, change) => {
    await writeSome(3);
    await expect(change.execute(app.db)).rejects.toMatchObject({ code: "SA001" });
  });
});

describe("the check of the chain", () => {
  beforeEach(() => writeSome(6));

  test.each<[string, RawBuilder<unknown>]>([
    ["a reason", sql`UPDATE audit_log SET reason = 'other' WHERE seq = 3`],
    ["a time", sql`UPDATE audit_log SET at = at + interval '1 microsecond' WHERE seq = 3`],
    ["an actor's role", sql`UPDATE audit_log SET actor_role = 'operator' WHERE seq = 3`],
    ["an action", sql`UPDATE audit_log SET action = 'test.undo' WHERE seq = 3`],
    ["a subject", sql`UPDATE audit_log SET subject = 'thing:9' WHERE seq = 3`],
    ["what was", sql`UPDATE audit_log SET before = '{"n": 3, "amount": 5001}' WHERE seq = 3`],
    ["what is, to nothing", sql`UPDATE audit_log SET after = NULL WHERE seq = 3`],
    ["what is, to JSON's null", sql`UPDATE audit_log SET after = 'null' WHERE seq = 3`],
    ["a hash", sql`UPDATE audit_log SET hash = sha256('x') WHERE seq = 3`],
  ])("finds %s that was changed", async (_what, change) => {
    await tamper(change);
    expect(await broken()).toEqual(["row of the log audit:3"]);
  });

  test("finds a row changed with its hash, at the next link", async () => {
    await tamper(sql`UPDATE audit_log SET reason = 'other' WHERE seq = 3`, rehash);
    expect(await broken()).toEqual(["link of the log audit:4"]);
  });

  test("finds a row deleted from the middle", async () => {
    await tamper(sql`DELETE FROM audit_log WHERE seq = 3`);
    expect(await broken()).toEqual(["gap in the log audit:4"]);
  });

  test("finds the first row deleted", async () => {
    await tamper(sql`DELETE FROM audit_log WHERE seq = 1`);
    expect(await broken()).toEqual(["gap in the log audit:2"]);
  });

  test("finds a row deleted and the others renumbered", async () => {
    await tamper(
      sql`DELETE FROM audit_log WHERE seq = 3`,
      // In two steps: rows are changed in any order, and no two may have one number meanwhile.
      sql`UPDATE audit_log SET seq = seq + 1000 WHERE seq > 3`,
      sql`UPDATE audit_log SET seq = seq - 1001 WHERE seq > 1000`,
      rehash,
    );
    expect(await broken()).toEqual(["link of the log audit:3", "end of the log audit:5"]);
  });

  test("finds two rows that changed places", async () => {
    await tamper(
      sql`UPDATE audit_log SET seq = 100 WHERE seq = 3`,
      sql`UPDATE audit_log SET seq = 3 WHERE seq = 4`,
      sql`UPDATE audit_log SET seq = 4 WHERE seq = 100`,
    );
    expect(await broken()).toEqual(["link of the log audit:3"]);
  });

  test("finds rows deleted from the end, all of them too", async () => {
    await tamper(sql`DELETE FROM audit_log WHERE seq > 4`);
    expect(await broken()).toEqual(["end of the log audit:4"]);
    await tamper(sql`DELETE FROM audit_log`);
    expect(await broken()).toEqual(["end of the log audit:0"]);
    await tamper(sql`DELETE FROM audit_head`);
    expect(await broken()).toEqual(["end of the log audit:0"]);
  });

  test("finds rows deleted from the end with their head, by an anchor", async () => {
    await anchorChain(app.db, app.clock.now());
    await tamper(
      sql`DELETE FROM audit_log WHERE seq > 4`,
      sql`UPDATE audit_head SET (seq, hash) = (SELECT seq, hash FROM audit_log WHERE seq = 4)`,
    );
    expect(await broken()).toEqual(["anchor of the log audit:6"]);
  });

  test("finds a chain rewritten from its start, by an anchor", async () => {
    await anchorChain(app.db, app.clock.now());
    await tamper(sql`UPDATE audit_log SET reason = 'other' WHERE seq = 3`);
    for (const seq of [3, 4, 5, 6]) {
      await tamper(
        sql`UPDATE audit_log SET previous_hash = (SELECT hash FROM audit_log WHERE seq = ${seq - 1})
          WHERE seq = ${seq}`,
        sql`${rehash} WHERE seq = ${seq}`,
      );
    }
    await tamper(sql`UPDATE audit_head SET hash = (SELECT hash FROM audit_log WHERE seq = 6)`);
    expect(await broken()).toEqual(["anchor of the log audit:6"]);
  });

  test("finds a row inserted without audit_append", async () => {
    await app.sql`
      INSERT INTO audit_log (seq, at, actor_role, action, subject, previous_hash, hash)
      SELECT 7, at, 'system', 'test.do', 'thing:7', hash, sha256('x') FROM audit_log WHERE seq = 6`;
    expect(await broken()).toEqual(["row of the log audit:7", "end of the log audit:7"]);
  });
});

const check = () => app.app.loops.find(({ name }) => name === "audit.check")?.drain();
const alerts = () => app.values<string>`
  SELECT subject FROM alerts WHERE kind = 'audit.broken' AND resolved_at IS NULL`;

test("every hour a whole chain gets an anchor, a broken one raises an alert in the back office, once", async () => {
  app.clock.advance(HOUR_MS);
  await writeSome(2);
  await check();
  const rows = await app.sql`SELECT seq, taken_at FROM audit_anchors`;
  expect(rows).toEqual([{ seq: 2n, taken_at: app.clock.now() }]);
  expect(await alerts()).toEqual([]);
  await tamper(sql`UPDATE audit_log SET reason = 'other' WHERE seq = 2`);
  for (const hour of [1, 2]) {
    app.clock.advance(HOUR_MS);
    await check();
    expect(await alerts()).toEqual(["row of the log: audit:2"]);
    expect(app.takeErrors(), `hour ${hour}`).toHaveLength(1);
  }
});
