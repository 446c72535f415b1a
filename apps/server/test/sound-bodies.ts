/** Each has a field it cannot do without: nothing is suspended, closed or changed by them. */
const REFUSED_WHEN_EMPTY = [
  "POST /api/desk/alerts/{id}/resolve",
  "POST /api/desk/day/close",
  "POST /api/desk/day/correct",
  "POST /api/desk/day/moves",
  "POST /api/desk/products/{id}/resume",
  "POST /api/desk/products/{id}/suspend",
  "POST /api/desk/sellers/{id}/freeze",
  "POST /api/desk/sellers/{id}/reopen",
  "POST /api/desk/sellers/{id}/resume",
  "POST /api/desk/sellers/{id}/suspend",
  "POST /api/desk/sellers/{id}/unfreeze",
  "POST /api/desk/settings/durations",
  "PUT /api/desk/settings",
  "PUT /api/desk/settings/durations/{id}",
];

/** A body each call accepts or refuses for its content alone, never for its form. */
export function soundBodies(reference: string): Record<string, Record<string, unknown>> {
  return {
    "PUT /api/users/{id}": { display_name: "Awa", country: "CI", deja: true, plan: true },
    "POST /api/socket/add": { idsocket: "s", iduser: "1", role: "vendeur" },
    "POST /api/orders": { reference, provider: "moneroo" },
    "POST /api/transactions": { order_id: "999999" },
    "POST /api/payment/moneroo/create": { type_requete: "abonnement_mensuel" },
    "PUT /api/products/{id}": { status: "active" },
    "POST /api/users/retrait/demande": { montant: 50 },
    "PUT /api/users/paiement/update": { retrait_auto: 0 },
    "POST /api/reports": { reference: "nosuchref1", reason_code: "other" },
    "POST /api/desk/withdrawals/{id}/approve": { lane: "manual" },
    "POST /api/desk/withdrawals/{id}/paid": { reference: "MP1.23" },
    "POST /api/desk/withdrawals/{id}/failed": { reason: "Plafond atteint" },
    "POST /api/desk/withdrawals/{id}/reject": { reason_code: "suspicious" },
    "POST /api/desk/withdrawals/{id}/resolve": { outcome: "sent", reason: "Vu chez eux" },
    ...Object.fromEntries(REFUSED_WHEN_EMPTY.map((call) => [call, {}])),
  };
}
