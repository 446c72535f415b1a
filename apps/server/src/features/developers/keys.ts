import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { sayRefusal } from "@sesame/contract";
import {
  type DevelopersRefusal,
  isKeyScope,
  KEY_NAME_MAX,
  KEY_PREFIX,
  type KeyRefusal,
  keyRefusals,
  KEYS_MAX,
  type KeyScope,
} from "@sesame/contract/developers";
import { type PlansRefusal, plansRefusals } from "@sesame/contract/plans";
import { assert, type Chance, ok, readableToken, type Result, refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { type Actor, audit } from "../../audit/audit.store.ts";
import { tell } from "../../bot/tell.ts";
import type { KeyAsked, KeyJudged } from "../../http/server.ts";
import type { Db } from "../../postgres/database.ts";
import { refuseCapability } from "../plans/index.ts";
import { BUTTONS, keyCreated } from "./messages.fr.ts";
import { insertKey, lockSeller, revoke, touchKey } from "./keys.store.ts";
import { findKey, viewKeys } from "./keys.view.ts";

export type KeyRequest = {
  readonly sellerId: bigint;
  readonly actor: Actor;
  readonly name: unknown;
  readonly scopes: unknown;
};

type Refused = DevelopersRefusal | PlansRefusal;

/** → its number, and the key itself, which is known to nobody after this. */
export async function createKeyIn(
  app: App,
  tx: Db,
  request: KeyRequest,
): Promise<Result<{ id: bigint; secret: string }, Refused>> {
  const { sellerId, actor } = request;
  const read = readKey(request);
  if (!read.ok) return read;
  await lockSeller(tx, sellerId);
  const barred = await refuseCapability(tx, sellerId, "developer-api");
  if (barred) return refuse(barred);
  if ((await viewKeys(tx, sellerId)).length >= KEYS_MAX) {
    return refuse({ kind: "developers.too-many-keys" });
  }
  const now = app.clock.now();
  const secret = drawKey(app.chance);
  const lastFour = secret.slice(-4);
  const { name, scopes } = read.value;
  const hash = hashKey(secret);
  const id = await insertKey(tx, { sellerId, name, scopes, hash, lastFour, now });
  const buttons = [app.appButton(BUTTONS.page, "/Developpeurs")];
  const message = { text: keyCreated(name), buttons };
  await tell(tx, [{ bot: "seller", personId: sellerId, message }], now);
  const subject = `seller:${sellerId}`;
  // Not its name: that may be erased one day, the log never (decision 101).
  const after = { key: String(id), scopes, last_four: lastFour };
  await audit(tx, { actor, action: "developer.key-create", subject, after }, now);
  return ok({ id, secret });
}

function readKey({
  name,
  scopes,
}: Pick<KeyRequest, "name" | "scopes">): Result<
  { name: string; scopes: KeyScope[] },
  DevelopersRefusal
> {
  const text = typeof name === "string" ? name.trim() : "";
  if (text === "") return refuse({ kind: "developers.name-missing" });
  if ([...text].length > KEY_NAME_MAX) return refuse({ kind: "developers.name-too-long" });
  const list: readonly unknown[] = Array.isArray(scopes) ? scopes : [];
  const known = list.filter(isKeyScope);
  if (known.length === 0 || known.length < list.length) {
    return refuse({ kind: "developers.scopes-wrong" });
  }
  return ok({ name: text, scopes: [...new Set(known)] });
}

export async function revokeKeyIn(
  app: App,
  tx: Db,
  { sellerId, id, actor }: { sellerId: bigint; id: bigint; actor: Actor },
): Promise<Result<null, DevelopersRefusal>> {
  const now = app.clock.now();
  const revoked = await revoke(tx, { sellerId, id, now });
  if (!revoked) return refuse({ kind: "developers.key-not-found" });
  const before = { key: String(id), last_four: revoked.last_four };
  const subject = `seller:${sellerId}`;
  await audit(tx, { actor, action: "developer.key-revoke", subject, before }, now);
  return ok(null);
}

type Admitted = Extract<KeyJudged, { keyId: bigint }>;

const sentences = { ...keyRefusals, ...plansRefusals };

/** Who calls /api/v1, by his key: what it may do, and whether his plan still opens it. */
export async function admitKey(app: App, asked: KeyAsked): Promise<KeyJudged> {
  const judged = await judge(app, asked);
  return judged.ok ? judged.value : sayRefusal(judged.refusal, sentences);
}

async function judge(
  { db, clock }: App,
  { token, scope }: KeyAsked,
): Promise<Result<Admitted, KeyRefusal | PlansRefusal>> {
  assert(isKeyScope(scope), "a call of the developer API names its scope");
  if (token === null) return refuse({ kind: "developers.key-missing" });
  const key = isKeyText(token) ? await findKey(db, hashKey(token)) : null;
  if (!key) return refuse({ kind: "developers.key-refused" });
  const barred = await refuseCapability(db, key.seller_id, "developer-api");
  if (barred) return refuse(barred);
  if (!key.scopes.includes(scope)) return refuse({ kind: "developers.scope-missing", scope });
  const day = clock.now().toISOString().slice(0, 10);
  if (key.last_used_on !== day) await touchKey(db, key.id, day);
  const { seller_id: personId, telegram_id: telegramId } = key;
  const principal = { personId, telegramId, audience: "seller" } as const;
  return ok({ principal: { ...principal, isAgent: false, isOperator: false }, keyId: key.id });
}

const DRAWN = 36;
const CHECKSUM = 7;
const FORM = new RegExp(`^${KEY_PREFIX}[A-Za-z0-9]{${DRAWN}}[0-9a-z]{${CHECKSUM}}$`);

/** A key: 36 drawn characters (210 bits), then what shows that they are a key's and not mistyped. */
function drawKey(chance: Chance): string {
  const drawn = KEY_PREFIX + readableToken(DRAWN, chance);
  return drawn + checksumOf(drawn);
}

/** Known without asking anybody: a scanner of leaks does the same. */
export function isKeyText(text: string): boolean {
  return FORM.test(text) && text.slice(-CHECKSUM) === checksumOf(text.slice(0, -CHECKSUM));
}

function hashKey(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function checksumOf(text: string): string {
  return crc32(text).toString(36).padStart(CHECKSUM, "0");
}
