import type { IdentityRefusal } from "@sesame/contract/identity";
import type { PlansRefusal } from "@sesame/contract/plans";
import { ok, type Result } from "@sesame/kernel";
import { sql } from "kysely";
import type { App } from "../../app.ts";
import { audit } from "../../audit/audit.store.ts";
import type { Db } from "../../postgres/database.ts";
import { finishOnboarding } from "../onboarding/index.ts";
import { choosePlan } from "../plans/index.ts";

/** Undefined: unchanged. Null: cleared. */
type ProfileChange = {
  readonly displayName?: string | null;
  readonly country?: string | null;
  readonly whatsappNumber?: string | null;
};

async function updateProfile(
  tx: Db,
  sellerId: bigint,
  change: ProfileChange & { readonly now: Date },
): Promise<void> {
  await sql`
    UPDATE sellers SET
      display_name = CASE WHEN ${change.displayName !== undefined}
        THEN ${change.displayName ?? null} ELSE display_name END,
      country = CASE WHEN ${change.country !== undefined}
        THEN ${change.country ?? null} ELSE country END,
      whatsapp_number = CASE WHEN ${change.whatsappNumber !== undefined}
        THEN ${change.whatsappNumber ?? null} ELSE whatsapp_number END,
      updated_at = ${change.now}
    WHERE id = ${sellerId}
  `.execute(tx);
}

export type UserChange = ProfileChange & {
  readonly onboarded: boolean;
  /** A plan's name as it came; undefined: none was named. */
  readonly plan: unknown;
};

/** Profile, onboarding and the choice of the free plan, together or not at all (decision 5). */
export async function updateUser(
  app: App,
  sellerId: bigint,
  change: UserChange,
): Promise<Result<null, IdentityRefusal | PlansRefusal>> {
  const now = app.clock.now();
  return app.db.transaction().execute(async (tx) => {
    const named = change.plan ?? null;
    const chosen = named === null ? null : await choosePlan(tx, { sellerId, named, now });
    if (chosen && !chosen.ok) return chosen;
    if (change.onboarded) await finishOnboarding(tx, sellerId, now);
    await updateProfile(tx, sellerId, { ...change, now });
    if (chosen?.value.changed) {
      const actor = { personId: sellerId, role: "seller" } as const;
      const deed = { actor, action: "plan.change", subject: `seller:${sellerId}` };
      await audit(tx, { ...deed, before: { plan: null }, after: { plan: "free" } }, now);
    }
    return ok(null);
  });
}
