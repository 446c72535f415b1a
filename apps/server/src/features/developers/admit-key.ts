import { sayRefusal } from "@sesame/contract";
import { isKeyScope, type KeyRefusal, keyRefusals } from "@sesame/contract/developers";
import { type PlansRefusal, plansRefusals } from "@sesame/contract/plans";
import { assert, ok, type Result, refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import type { KeyAsked, KeyJudged } from "../../http/server.ts";
import { refuseCapability } from "../plans/index.ts";
import { hashKey, isKeyText } from "./key-text.ts";
import { touchKey } from "./keys.store.ts";
import { findKey } from "./keys.view.ts";

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
