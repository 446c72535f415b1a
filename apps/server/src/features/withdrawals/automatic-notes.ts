import type { Fcfa } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { tell } from "../../bot/tell.ts";
import type { Db } from "../../postgres/database.ts";
import { recordAsked, recordEnd } from "./automatic.store.ts";
import { AUTOMATIC_BUTTONS, automaticAsked } from "./messages.fr.ts";
import type { WithdrawalRow } from "./withdrawals.view.ts";

type Asked = {
  readonly sellerId: bigint;
  readonly amount: Fcfa;
  readonly method: string;
  readonly phone: string;
  readonly reference: string;
};

/** In the transaction that makes the requests: each is written and said exactly once. */
export async function noteAutomaticAsked(
  { appButton }: App,
  tx: Db,
  { asked, now }: { asked: readonly Asked[]; now: Date },
): Promise<void> {
  if (asked.length === 0) return;
  const buttons = [appButton(AUTOMATIC_BUTTONS.history, "/HistoriqueRetraits")];
  await recordAsked(
    tx,
    asked.map(({ sellerId }) => sellerId),
    now,
  );
  await tell(
    tx,
    asked.map((request) => ({
      bot: "seller" as const,
      personId: request.sellerId,
      message: { text: automaticAsked(request), buttons },
    })),
    now,
  );
}

/**
 * What an automatic payout became, in the transaction that decided it: exactly once. Switching off
 * after two failures is the engine's, right after: it writes to the audit log, which must come last.
 */
export async function noteAutomaticEnd(
  tx: Db,
  withdrawal: Pick<WithdrawalRow, "origin" | "seller_id">,
  outcome: "paid" | "rejected",
): Promise<void> {
  if (withdrawal.origin !== "automatic") return;
  await recordEnd(tx, { sellerId: withdrawal.seller_id, outcome });
}
