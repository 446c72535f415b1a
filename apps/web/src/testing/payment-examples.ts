import type { UserAggregatorOnWire } from "@sesame/contract/payment-accounts";
import {
  type KnownProvider,
  type OrderAnswer,
  PAYMENT_PROVIDERS,
  type PaymentProviderOnWire,
} from "@sesame/contract/checkout";
import type { ComplaintOnWire } from "@sesame/contract/cases";
import type { AccessOnWire } from "@sesame/contract/memberships";
import { CAPABILITIES, type PlansAnswer } from "@sesame/contract/plans";
import type { RefundOnWire } from "@sesame/contract/refunds";
import { example } from "./example.ts";

const DAY = "2026-11-20T10:00:00.000Z";

/** By its `id`, Moneroo's where there is none. */
export const exampleProvider = (
  part: Partial<PaymentProviderOnWire> & { id?: KnownProvider } = {},
): PaymentProviderOnWire => ({
  ...PAYMENT_PROVIDERS[part.id ?? "moneroo"],
  methods: ["Orange Money"],
  fields: { email: "optional", phone: "none" },
  ...part,
});

export const examplePlans = example<PlansAnswer>({
  success: true,
  currency: "XOF",
  plans: [
    {
      type_plan: "gratuit",
      name: "Gratuit",
      price: 0,
      price_eur: 0,
      period_days: null,
      fee_percent: 18,
      groups_max: 3,
      withdrawals: "weekly",
      capabilities: [],
    },
    {
      type_plan: "payant",
      name: "Premium",
      price: 5_000,
      price_eur: 7.62,
      period_days: 30,
      fee_percent: 0,
      groups_max: null,
      withdrawals: "instant",
      capabilities: [...CAPABILITIES],
    },
  ],
  comparison: [
    { key: "fee", label: "Frais par transaction", free: "18 %", premium: "0 %" },
    { key: "developer-api", label: "API développeur", free: "Non", premium: "Oui" },
  ],
  grace_days: 7,
  break_even: 27_778,
  providers: [exampleProvider()],
});

export const exampleOrder = example<OrderAnswer>({
  id: "12",
  status: "pending",
  amount: 5_000,
  currency: "XOF",
  kind: "plan",
  provider: "moneroo",
  provider_name: "Moneroo",
  direct: false,
  payments: [{ provider: "moneroo", provider_name: "Moneroo", status: "pending", created_at: DAY }],
  paid_twice: false,
  refund: null,
  complaint: null,
  may_complain: [],
  access: null,
  title: "Plan Premium",
  seller: null,
  group: null,
  reference: null,
  duration: 43_200,
  is_renewal: false,
  created_at: DAY,
  paid_at: null,
  payment_url: "https://pay.example/12",
  opens: "page",
  bot_url: "https://t.me/SesameVendeurBot",
  bot_can_write: true,
});

export const exampleAccess = example<AccessOnWire>({
  id: "1",
  status: "inside",
  expires_at: "2027-02-03T10:00:00.000Z",
  joined_at: null,
  group: { name: "Cercle", type: "groupe", link: null },
  product: null,
  order_id: null,
  invite_link: null,
  entry_paused: false,
  renew_reference: null,
});

export const exampleMethod = example<UserAggregatorOnWire>({
  key: "fedapay",
  name: "FedaPay",
  isActive: true,
  builtIn: true,
  selling: "built-in",
  own: null,
  updatedAt: null,
});

export const exampleOwnKeys: NonNullable<UserAggregatorOnWire["own"]> = {
  keys: { secretKey: "sk_live_…1234" },
  updatedAt: DAY,
  verifiedAt: DAY,
  refusedAt: null,
  readable: true,
  asleep: false,
  webhookUrl: "https://sesame.example/webhooks/fedapay/a1b2",
};

export const exampleRefund = example<RefundOnWire>({
  id: "3",
  order_id: "12",
  amount: 5_000,
  status: "en_cours",
  status_label: "Remboursement en cours",
  rail: "provider",
  direct: false,
  overpayment: false,
  motif: "Groupe fermé",
  date_creation: DAY,
  date_remboursement: null,
  methode: null,
  methode_nom: null,
  numero: null,
  reference_operateur: null,
});

export const exampleComplaint = example<ComplaintOnWire>({
  id: "5",
  order_id: "12",
  title: "Accès VIP mensuel",
  kind: "no-access",
  kind_label: "J'ai payé, mais je n'ai pas accès au groupe",
  status: "vendeur",
  status_label: "Chez le vendeur",
  opened_at: DAY,
  seller_due_at: "2026-11-23T10:00:00.000Z",
  closed_at: null,
  buyer: { nom: "Koffi Mensah" },
  seller: { nom: "Awa Koné" },
  amount: 5_000,
  entries: [
    {
      author: "acheteur",
      step: "opened",
      step_label: "Réclamation ouverte",
      words: "Je ne suis pas dans le groupe.",
      at: DAY,
    },
  ],
  may: { answer: true, contest: true, refund: true, withdraw: false, decide: false },
});
