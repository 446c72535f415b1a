import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { rotateKeysCommand } from "../../../../../tools/administer.ts";
import {
  createTestDatabase,
  type TestDatabase,
} from "../../../../../tools/postgres/test-database.ts";
import { sellMany } from "../../../test/bulk-sales.ts";
import { type Database, openDatabase } from "../../postgres/database.ts";
import { createVault, SecretUnreadable, type Vault } from "../../secrets/vault.ts";
import { bindingOf, findKeys, openKeys, rotateKeys } from "./keys.ts";

const NOW = new Date("2026-11-16T09:00:00.000Z");
const ROWS = 130;
const keyOf = (seed: number) => Uint8Array.from({ length: 32 }, (_, at) => (at * 11 + seed) & 255);
const [old, fresh] = [keyOf(3), keyOf(4)];
const before = createVault({ current: old, previous: [] });
const during = createVault({ current: fresh, previous: [old] });
const after = createVault({ current: fresh, previous: [] });

let place: TestDatabase;
let database: Database;
const ids: bigint[] = [];

beforeAll(async () => {
  place = await createTestDatabase();
  database = openDatabase({ url: place.url, poolSize: 4 });
  await sellMany(database.db, { sellers: ROWS, buyers: 1, orders: 1, now: NOW });
  const { rows } = await sql<{ id: bigint }>`SELECT id FROM sellers ORDER BY id`.execute(
    database.db,
  );
  for (const [nth, { id: sellerId }] of rows.entries()) {
    const id = BigInt(nth + 1);
    const row = bindingOf({ id, seller_id: sellerId, provider: "moneroo" });
    const sealed = before.seal(JSON.stringify({ secretKey: secretOf(id) }), row);
    await sql`
      INSERT INTO seller_keys (id, seller_id, provider, secrets, secrets_key_id, masked,
        account_hash, created_at, changed_at, verified_at)
      OVERRIDING SYSTEM VALUE
      VALUES (${id}, ${sellerId}, 'moneroo', ${sealed.bytes}, ${sealed.keyId}, '{}',
        ${Buffer.of(1)}, ${NOW}, ${NOW}, ${NOW})
    `.execute(database.db);
    ids.push(id);
  }
});
afterAll(async () => {
  await database?.close();
  await place?.drop();
});

const secretOf = (id: bigint) => `sk_live_secret-of-${id}`;

/** Which of them do not open to what they were. */
async function lost(vault: Vault): Promise<bigint[]> {
  const wrong: bigint[] = [];
  for (const id of ids) {
    const row = await findKeys(database.db, id);
    const keys = row && openKeys(vault, row);
    const opens = keys && !(keys instanceof SecretUnreadable) && keys.secretKey === secretOf(id);
    if (!opens) wrong.push(id);
  }
  return wrong;
}

describe("rotating the key of secrets", () => {
  test("rewrites every row while all of them are read, by two commands at once", async () => {
    expect(await lost(after)).toHaveLength(ROWS);
    let rotating = true;
    const reading = async (): Promise<bigint[]> => {
      const wrong: bigint[] = [];
      do wrong.push(...(await lost(during)));
      while (rotating);
      return wrong;
    };
    const read = reading();
    const rotations = await Promise.all([1, 2].map(() => rotateKeys(database.db, during)));
    rotating = false;
    expect(await read).toEqual([]);
    expect(rotations.map(({ rewritten }) => rewritten).reduce((a, b) => a + b)).toBe(ROWS);
    expect(await lost(after)).toEqual([]);
    expect(await rotateKeys(database.db, during)).toEqual({ rewritten: 0, unreadable: [] });
    const { rows } = await sql<{ version: number }>`
      SELECT DISTINCT version FROM seller_keys`.execute(database.db);
    expect(rows).toEqual([{ version: 1 }]);
  });

  test("leaves alone what it cannot open, says which, and goes on with the others", async () => {
    const base64 = (key: Uint8Array) => Buffer.from(key).toString("base64");
    await sql`UPDATE seller_keys SET secrets = secrets || '\\x00'::bytea WHERE id = 7`.execute(
      database.db,
    );
    const damaged = await findKeys(database.db, 7n);
    const said: string[] = [];
    const listen = (text: unknown) => void said.push(String(text));
    const spies = [vi.spyOn(console, "log"), vi.spyOn(console, "error")];
    for (const spy of spies) spy.mockImplementation(listen);
    const env = { DATABASE_URL: place.url, SECRETS_KEY: base64(keyOf(5)) };
    const blind = await rotateKeysCommand(env);
    const code = await rotateKeysCommand({ ...env, SECRETS_KEY_PREVIOUS: base64(fresh) });
    for (const spy of spies) spy.mockRestore();
    expect([blind, code]).toEqual([1, 1]);
    expect(said.join("\n")).toContain(`${ROWS - 1} sets of keys`);
    expect(said.join("\n")).toContain("seller_keys 7.");
    expect(await findKeys(database.db, 7n)).toEqual(damaged);
    expect(await lost(createVault({ current: keyOf(5), previous: [] }))).toEqual([7n]);
    for (const key of [old, fresh]) expect(said.join("\n")).not.toContain(base64(key));
  });
});
