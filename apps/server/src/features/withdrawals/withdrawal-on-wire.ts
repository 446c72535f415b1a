import { sayMethod, type WithdrawalOnWire } from "@sesame/contract/withdrawals";
import { fcfaToJson } from "@sesame/kernel";
import type { WithdrawalRow } from "./withdrawals.view.ts";

/** B §3, as its seller sees it. */
export function withdrawalToWire(row: WithdrawalRow, now: Date): WithdrawalOnWire {
  const claimed = row.claimed_until !== null && row.claimed_until > now;
  return {
    id: String(row.id),
    montant: fcfaToJson(row.amount),
    methode_paiement: row.method,
    methode_nom: sayMethod(row.method),
    operateur: row.operator,
    pays: row.country,
    numero_transfert: row.phone,
    numero_whatsapp: row.whatsapp,
    status: row.status,
    date_creation: row.created_at.toISOString(),
    reference_transaction: row.reference,
    motif: row.reject_reason,
    date_limite: row.due_at.toISOString(),
    date_decision: row.decided_at?.toISOString() ?? null,
    date_paiement: row.paid_at?.toISOString() ?? null,
    annulable: row.status === "pending" && !claimed,
    automatique: row.origin === "automatic",
  };
}

/** As it was when it was accepted: what its first answer said, and every repetition says. */
export function withdrawalAsAccepted(row: WithdrawalRow): WithdrawalOnWire {
  const first = { status: "pending", claimed_until: null, decided_at: null } as const;
  const undecided = { ...row, ...first, reject_reason: null, paid_at: null };
  return withdrawalToWire(undecided, row.created_at);
}
