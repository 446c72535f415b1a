import { lockSeller } from "../../people/people.ts";
import { crc32 } from "node:zlib";
import { sayRefusal } from "@sesame/contract";
import * as contract from "@sesame/contract/developers";
import { plansRefusals } from "@sesame/contract/plans";
import { assert, ok, readableToken, refuse } from "@sesame/kernel";
import { type RawBuilder, sql } from "kysely";
import type { z } from "zod";
import type { App } from "../../app.ts";
import { type Actor, auditSeller } from "../../audit/audit.store.ts";
import { notify, toPerson } from "../../bot/message.ts";
import type { KeyAsked, KeyChecked } from "../../http/server.ts";
import { type Db, many, maybe, one } from "../../postgres/database.ts";
import { hashOf } from "../../secrets/vault.ts";
import { refuseCapability } from "../plans/index.ts";
import { BUTTONS, keyCreated } from "./messages.fr.ts";

type KeyRow = z.output<typeof contract.developerKeyOnWire>;

function selectKeys(db: Db, rest: RawBuilder<unknown>): Promise<KeyRow[]> {
  return many<KeyRow>(db)`
    SELECT id, name, ${`${contract.KEY_PREFIX}…`} || last_four AS masked, scopes, created_at,
      last_used_on::text AS last_used_on
    FROM developer_keys WHERE ${rest}
  `;
}

/** Keys not revoked, newest first. */
export function listKeys(db: Db, sellerId: bigint): Promise<KeyRow[]> {
  return selectKeys(db, sql`seller_id = ${sellerId} AND revoked_at IS NULL ORDER BY id DESC`);
}

export async function getKey(db: Db, sellerId: bigint, id: bigint): Promise<KeyRow> {
  const [key] = await selectKeys(db, sql`seller_id = ${sellerId} AND id = ${id}`);
  assert(key, "the key was created");
  return key;
}

/** → its id, and the key itself, which is not stored. */
export async function createKeyIn(
  app: App,
  tx: Db,
  { sellerId, actor, ...asked }: { sellerId: bigint; actor: Actor; name: unknown; scopes: unknown },
) {
  const name = typeof asked.name === "string" ? asked.name.trim() : "";
  if (name === "") return refuse({ kind: "developers.name-missing" });
  if ([...name].length > contract.KEY_NAME_MAX) return refuse({ kind: "developers.name-too-long" });
  const list: readonly unknown[] = Array.isArray(asked.scopes) ? asked.scopes : [];
  const scopes = [...new Set(list.filter(contract.isKeyScope))];
  if (scopes.length === 0 || !list.every(contract.isKeyScope)) {
    return refuse({ kind: "developers.scopes-wrong" });
  }
  await lockSeller(tx, sellerId);
  const barred = await refuseCapability(tx, sellerId, "developer-api");
  if (barred) return refuse(barred);
  if ((await listKeys(tx, sellerId)).length >= contract.KEYS_MAX) {
    return refuse({ kind: "developers.too-many-keys" });
  }
  const now = app.clock.now();
  // 36 random characters (210 bits), then a checksum that detects typing errors and other texts.
  const drawn = contract.KEY_PREFIX + readableToken(DRAWN, app.random);
  const secret = drawn + checksumOf(drawn);
  const lastFour = secret.slice(-4);
  const { id } = await one<{ id: bigint }>(tx)`
    INSERT INTO developer_keys (seller_id, name, hash, last_four, scopes, created_at)
    VALUES (${sellerId}, ${name}, ${hashOf(secret)}, ${lastFour}, ${scopes}::text[], ${now})
    RETURNING id
  `;
  const said = { text: keyCreated(name), button: BUTTONS.page, path: "/Developpeurs" };
  await notify(tx, [toPerson(app, sellerId, said)], now);
  // Without its name: that may be erased later, the log never (decision 101).
  const after = { key: String(id), scopes, last_four: lastFour };
  await auditSeller(tx, sellerId, { actor, action: "developer.key-create", after }, now);
  return ok({ id, secret });
}

export async function revokeKeyIn(
  app: App,
  tx: Db,
  { sellerId, id, actor }: { sellerId: bigint; id: bigint; actor: Actor },
) {
  const now = app.clock.now();
  const revoked = await maybe<{ last_four: string }>(tx)`
    UPDATE developer_keys SET revoked_at = ${now}
    WHERE id = ${id} AND seller_id = ${sellerId} AND revoked_at IS NULL
    RETURNING last_four
  `;
  if (!revoked) return refuse({ kind: "developers.key-not-found" });
  const before = { key: String(id), last_four: revoked.last_four };
  await auditSeller(tx, sellerId, { actor, action: "developer.key-revoke", before }, now);
  return ok(null);
}

const sentences = { ...contract.keyRefusals, ...plansRefusals };

/** The caller of /api/v1, by the key: its scopes, and whether the plan still includes keys. */
export async function admitKey(app: App, asked: KeyAsked): Promise<KeyChecked> {
  const checked = await checkKey(app, asked);
  return checked.ok ? checked.value : sayRefusal(checked.refusal, sentences);
}

async function checkKey({ db, clock }: App, { token, scope }: KeyAsked) {
  assert(contract.isKeyScope(scope), "a call of the developer API names its scope");
  if (token === null) return refuse({ kind: "developers.key-missing" });
  const key = isKeyText(token) ? await findKey(db, token) : null;
  if (!key) return refuse({ kind: "developers.key-refused" });
  const barred = await refuseCapability(db, key.seller_id, "developer-api");
  if (barred) return refuse(barred);
  if (!key.scopes.includes(scope)) return refuse({ kind: "developers.scope-missing", scope });
  const day = clock.now().toISOString().slice(0, 10);
  if (key.last_used_on !== day) {
    await sql`
      UPDATE developer_keys SET last_used_on = ${day}::date
      WHERE id = ${key.id} AND last_used_on IS DISTINCT FROM ${day}::date
    `.execute(db);
  }
  const { seller_id: personId, telegram_id: telegramId } = key;
  const principal = { personId, telegramId, audience: "seller" } as const;
  return ok({ principal: { ...principal, isAgent: false, isOperator: false }, keyId: key.id });
}

/** Null for an unknown or revoked key, or a closed account. */
function findKey(db: Db, token: string) {
  return maybe<{
    readonly id: bigint;
    readonly seller_id: bigint;
    readonly telegram_id: bigint;
    readonly scopes: readonly contract.KeyScope[];
    readonly last_used_on: string | null;
  }>(db)`
    SELECT k.id, k.seller_id, p.telegram_id, k.scopes, k.last_used_on::text AS last_used_on
    FROM developer_keys k
    JOIN sellers s ON s.id = k.seller_id AND s.closed_at IS NULL
    JOIN people p ON p.id = s.id
    WHERE k.hash = ${hashOf(token)} AND k.revoked_at IS NULL
  `;
}

const DRAWN = 36;
const CHECKSUM = 7;
const FORM = new RegExp(`^${contract.KEY_PREFIX}[A-Za-z0-9]{${DRAWN}}[0-9a-z]{${CHECKSUM}}$`);

/** Decided by the text alone: a scanner of leaks does the same. */
export function isKeyText(text: string): boolean {
  return FORM.test(text) && text.slice(-CHECKSUM) === checksumOf(text.slice(0, -CHECKSUM));
}

function checksumOf(text: string): string {
  return crc32(text).toString(36).padStart(CHECKSUM, "0");
}
