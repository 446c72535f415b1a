import {
  type DevelopersRefusal,
  isKeyScope,
  KEY_NAME_MAX,
  KEYS_MAX,
  type KeyScope,
} from "@sesame/contract/developers";
import type { PlansRefusal } from "@sesame/contract/plans";
import { ok, type Result, refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { type Actor, audit } from "../../audit/audit.store.ts";
import { tell } from "../../bot/tell.ts";
import type { Db } from "../../postgres/database.ts";
import { refuseCapability } from "../plans/index.ts";
import { BUTTONS, keyCreated } from "./messages.fr.ts";
import { drawKey, hashKey } from "./key-text.ts";
import { insertKey, lockSeller, revoke } from "./keys.store.ts";
import { viewKeys } from "./keys.view.ts";

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
