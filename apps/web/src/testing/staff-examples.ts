import type { AnswerOf } from "@sesame/contract/routes";
import type { StaffWithdrawalDetail, StaffWithdrawalOnWire } from "@sesame/contract/treasury";
import { example } from "./example.ts";

const NOW = "2026-11-20T10:00:00.000Z";
const yes = { allowed: true, reason: null };
const no = { allowed: false, reason: null };

export const exampleBackOffice = example<AnswerOf<"GET /api/desk">>({
  success: true,
  me: { id: "3", name: "Fatou Diallo", agent: true, operator: true },
  now: NOW,
  hours: { open: true, label: "lun.–ven. 9h–17h" },
  counts: {
    pending: 1,
    premium: 0,
    late: 0,
    mine: 0,
    second_agent: 0,
    to_pay: 0,
    uncertain: 0,
    alerts: 0,
    differences: 0,
    refunds_to_pay: 0,
    tickets: 0,
    complaints_operator: 0,
  },
  rails: [],
  methods: [{ id: "orange-money-ci", label: "Orange Money CI", country: "CI" }],
  reject_reasons: [
    { code: "name-mismatch", label: "Nom différent", sentence: "Ce n'est pas son nom." },
    { code: "other", label: "Autre raison", sentence: null },
  ],
  second_agent_from: 100_000,
  assignment_minutes: 15,
});

export const exampleRequest = example<StaffWithdrawalOnWire>({
  id: "41",
  reference: "RT-000041",
  amount: 4_100,
  method: "orange-money-ci",
  method_label: "Orange Money CI",
  operator: "ORANGE",
  country: "CI",
  phone: "+2250701020304",
  phone_label: "+225 07 01 02 03 04",
  whatsapp: "+2250701020304",
  status: "pending",
  stage: "pending",
  type_plan: "gratuit",
  automatic: false,
  seller: { id: "7", name: "Awa Koné", username: "awa", photo_url: null },
  created_at: NOW,
  age_minutes: 130,
  due_at: "2026-11-20T17:00:00.000Z",
  late: false,
  working_minutes_left: 190,
  assignment: null,
  first_approval: null,
  needs_second_agent: false,
  waiting: null,
  risks: [],
  payout: null,
  reject_reason: null,
  decided_at: null,
  paid_at: null,
  own: false,
  may: {
    assign: yes,
    release: no,
    approve: { allowed: false, reason: "Prenez d'abord cette demande." },
    reject: no,
    paid: no,
    failed: no,
    resolve: no,
  },
});

/** Taken by the reader. */
export function exampleTaken(part: Partial<StaffWithdrawalDetail> = {}): StaffWithdrawalDetail {
  const assignment = {
    by: { id: "3", name: "Fatou Diallo" },
    mine: true,
    until: "2026-11-20T10:15:00.000Z",
    seconds_left: 900,
  };
  const may = { ...exampleRequest().may, assign: yes, release: yes, approve: yes, reject: yes };
  return exampleDetail({ stage: "assigned", assignment, may, ...part });
}

export const exampleDetail = example<StaffWithdrawalDetail>({
  ...exampleRequest(),
  history: {
    since: "2026-09-01T08:00:00.000Z",
    telegram_id: 5_001,
    country: "CI",
    available: 0,
    held: 4_100,
    sales: { count: 1, gross: 5_000, net: 4_100, last_30_days: 5_000, refunds: 0 },
    payouts: {
      paid: 0,
      paid_amount: 0,
      median_amount: null,
      failed: 0,
      rejected: 0,
      success_percent: null,
    },
    last_withdrawals: [],
    frozen: null,
    suspended: null,
  },
  rails: [
    { id: "manual", label: "À la main", open: true, reason: null },
    { id: "paydunya", label: "PayDunya", open: true, reason: null },
    { id: "fedapay", label: "FedaPay", open: false, reason: "FedaPay n'est pas ouvert." },
  ],
  payouts: [],
  trace: [],
  whatsapp_url: null,
});

export const exampleDecision = example<AnswerOf<"POST /api/desk/withdrawals/:id/assign">>({
  success: true,
  now: NOW,
  status: "approved",
  waiting: null,
  message: "Approuvé",
  withdrawal: exampleDetail(),
});
