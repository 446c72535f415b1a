import { sql } from "kysely";
import type { Principal } from "../http/principal.ts";
import type { Db } from "../postgres/database.ts";
import { canonicalJson, soundText } from "./canonical-json.ts";

export type ActorRole = "buyer" | "seller" | "agent" | "operator" | "system";

export type Actor = {
  /** Null: the system by itself. */
  readonly personId: bigint | null;
  readonly role: ActorRole;
};

export type Deed = {
  readonly actor: Actor;
  /** capability.verb: `withdrawal.approve`. */
  readonly action: string;
  /** What it was done to: `withdrawal:45`. */
  readonly subject: string;
  /** Anything JSON can say; bigints, francs among them, and dates are written out. */
  readonly before?: unknown;
  readonly after?: unknown;
  readonly reason?: string | null;
};

export const SYSTEM: Actor = { personId: null, role: "system" };

/** Who the caller is in what he does: at the desk, his highest role. */
export function actorOf(principal: Principal): Actor {
  const { personId, isAgent, isOperator, audience } = principal;
  return { personId, role: isOperator ? "operator" : isAgent ? "agent" : audience };
}

/**
 * Writes what was done, at the end of the chain. To be called LAST in the transaction that does it:
 * everybody who writes to the log waits from here to the commit.
 */
export async function audit(tx: Db, deed: Deed, now: Date): Promise<void> {
  const { actor } = deed;
  await sql`
    SELECT audit_append(${now}, ${actor.personId}, ${actor.role}, ${deed.action},
      ${soundText(deed.subject)}, ${canonicalJson(deed.before)}::jsonb,
      ${canonicalJson(deed.after)}::jsonb, ${soundText(deed.reason ?? null)})
  `.execute(tx);
}
