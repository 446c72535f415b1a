import { ofTexts, type ProductOnWire } from "@sesame/contract/catalogue";
import type { ChannelOnWire } from "@sesame/contract/groups";
import type { SellerSignInAnswer, UserOnWire } from "@sesame/contract/identity";
import type { TransactionOnWire } from "@sesame/contract/reports";

export function exampleUser(part: Partial<UserOnWire> = {}): UserOnWire {
  return {
    id: "7",
    telegram_id: 5001,
    username: "awa",
    nom: "Awa Koné",
    display_name: null,
    country: null,
    photo_url: null,
    deja: true,
    plan: true,
    type_plan: "gratuit",
    premium_until: null,
    premium_state: "none",
    capabilities: [],
    groups_max: 3,
    balanceGratuit: 4_100,
    balancePayant: 0,
    soldeDisponible: 4_100,
    owed: 0,
    retrait_auto: 0,
    retraitAuto: { active: false, modePaiement: null, numeroTransfert: null },
    payment_method: null,
    transfer_number: null,
    whatsapp_number: null,
    agent: false,
    operator: false,
    created_at: "2026-11-01T08:00:00.000Z",
    updated_at: "2026-11-01T08:00:00.000Z",
    ...part,
  };
}

export function exampleChannel(part: Partial<ChannelOnWire> = {}): ChannelOnWire {
  return {
    id: "1",
    name: "Club Forex",
    type: "groupe",
    telegram_group_id: -1_001_000_000_001,
    details: {
      state: "connected",
      state_label: "Connecté",
      sellable: true,
      rights: [],
      missing_rights: [],
      members: 12,
      in_quota: true,
      public: false,
      username: null,
      last_event: null,
      last_event_at: null,
      checked_at: "2026-11-01T08:00:00.000Z",
      linked_at: "2026-11-01T08:00:00.000Z",
      products: 0,
      sales: 0,
      members_can_add: false,
      remove_added: false,
    },
    ...part,
  };
}

export function exampleProduct(part: Partial<ProductOnWire> = {}): ProductOnWire {
  return {
    id: "1",
    kind: "access",
    suggestions: [],
    reference: "vip1K3pQ",
    title: "Accès VIP mensuel",
    price: 5_000,
    ...ofTexts(() => ""),
    description: "Chaque jour, les analyses.",
    image_url: null,
    picture: null,
    duration: 43_200,
    duration_id: "4",
    duration_label: "30 jours",
    group_id: "1",
    idGroup: -1_001_000_000_001,
    group: { id: "1", name: "Club Forex", type: "groupe" },
    status: "active",
    status_reason: null,
    share_link: "https://t.me/SesameBot?startapp=vip1K3pQ",
    views: 10,
    sales: 1,
    sales_new: 1,
    sales_renewed: 0,
    revenue_gross: 5_000,
    revenue_net: 4_100,
    category: "other",
    stock: null,
    created_at: "2026-11-01T08:00:00.000Z",
    updated_at: "2026-11-01T08:00:00.000Z",
    ...part,
  };
}

export function exampleTransaction(part: Partial<TransactionOnWire> = {}): TransactionOnWire {
  return {
    id: "1",
    amount: 5_000,
    net: 4_100,
    frais: 900,
    type: "income",
    date: "2026-11-20T10:00:00.000Z",
    status: "success",
    duration: 43_200,
    idProduit: "1",
    produitNom: "Accès VIP mensuel",
    idClient: "90",
    nomClient: "Koffi Mensah",
    renouvellement: "Nouveau",
    direct: false,
    balance_change: 4_100,
    ...part,
  };
}

export function exampleStart(part: Partial<SellerSignInAnswer> = {}): SellerSignInAnswer {
  return {
    success: true,
    token: "t0k",
    user: exampleUser(),
    channels: [exampleChannel()],
    products: [exampleProduct()],
    vendorSubscriptions: [],
    withdrawalRequests: [],
    accueil: { transactions: [], complaints_waiting: 0 },
    ...part,
  };
}
