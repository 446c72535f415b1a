import { ofTexts, type PublicProductOnWire } from "@sesame/contract/catalogue";

/** An order and what may belong to it, as the server answers them to its buyer. */

const AT = "2026-11-21T08:00:00.000Z";
export const PRODUCT: PublicProductOnWire = {
  id: "7",
  kind: "access",
  suggestions: [],
  reference: "abcdef",
  title: "Cercle du matin",
  price: 5_000,
  ...ofTexts(() => ""),
  image_url: null,
  picture: null,
  duration: 43_200,
  duration_label: "30 jours",
  seller: { id: "1", name: "Aminata" },
  group: { name: "Cercle", type: "groupe", members: null },
  status: "active",
  places_left: null,
  share_link: "https://t.me/sesame?startapp=abcdef",
  providers: ["moneroo", "fedapay"],
};

const PAYMENT = { provider: "moneroo", provider_name: "Moneroo", created_at: AT };

export const ORDER = {
  id: "12",
  status: "pending",
  amount: 5_000,
  currency: "XOF",
  kind: "product",
  provider: "moneroo",
  provider_name: "Moneroo",
  direct: false,
  payments: [{ ...PAYMENT, status: "pending" }],
  paid_twice: false,
  refund: null,
  complaint: null,
  may_complain: ["paid-not-confirmed"],
  access: null,
  title: "Cercle du matin",
  seller: { id: "1", name: "Aminata" },
  group: null,
  reference: "abcdef",
  duration: 43_200,
  is_renewal: false,
  created_at: AT,
  paid_at: null,
  payment_url: "https://pay.example/1",
  opens: "page",
  bot_url: "https://t.me/sesame",
  bot_can_write: true,
};

export const REFUND = {
  id: "3",
  order_id: "12",
  amount: 5_000,
  status: "numero_attendu",
  status_label: "Numéro attendu",
  rail: "staff",
  direct: false,
  overpayment: false,
  motif: "Le groupe ferme",
  date_creation: AT,
  date_remboursement: null,
  methode: null,
  methode_nom: null,
  numero: null,
  reference_operateur: null,
};

export const COMPLAINT = {
  id: "5",
  order_id: "12",
  title: "Cercle du matin",
  kind: "paid-not-confirmed",
  kind_label: "J'ai payé, mais ce n'est pas confirmé",
  status: "operateur",
  status_label: "Chez Sésame",
  opened_at: AT,
  seller_due_at: AT,
  closed_at: null,
  buyer: { nom: "Koffi" },
  seller: null,
  amount: 5_000,
  entries: [
    { author: "acheteur", step: "opened", step_label: "Réclamation ouverte", words: null, at: AT },
  ],
  may: { answer: true, contest: false, refund: false, withdraw: true, decide: false },
};
