import { type RefusalBody, type RefusalStatus, sayRefusal } from "@sesame/contract";
import { isKeyScope, type KeyRefusal, keyRefusals } from "@sesame/contract/developers";
import { type PlansRefusal, plansRefusals } from "@sesame/contract/plans";
import { assert, ok, type Result, refuse } from "@sesame/kernel";
import type { Principal } from "../../http/principal.ts";
import type { DevelopersDeps } from "./deps.ts";
import { hashKey, isKeyText } from "./key-text.ts";
import { touchKey } from "./keys.store.ts";
import { findKey } from "./keys.view.ts";

export type Admitted = { readonly principal: Principal; readonly keyId: bigint };
export type KeyAsked = { readonly token: string | null; readonly scope: string | undefined };

const sentences = { ...keyRefusals, ...plansRefusals };

/** Who calls /api/v1, by his key: what it may do, and whether his plan still opens it. */
export async function admitKey(
  deps: Pick<DevelopersDeps, "db" | "clock" | "refuseCapability">,
  asked: KeyAsked,
): Promise<Admitted | { readonly status: RefusalStatus; readonly body: RefusalBody }> {
  const judged = await judge(deps, asked);
  return judged.ok ? judged.value : sayRefusal(judged.refusal, sentences);
}

async function judge(
  { db, clock, refuseCapability }: Parameters<typeof admitKey>[0],
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
