import { PRODUCT_NOT_FOUND } from "@sesame/contract";
import { sayFrancs } from "@sesame/contract/withdrawals";

/** Titles and descriptions of pages, for the tab and for link previews. */
export const pagesCopy = {
  soldBy: (seller: string) => `Vendu par ${seller}, payé en mobile money.`,
  missing: {
    title: PRODUCT_NOT_FOUND,
    description: "Ce lien ne mène à aucun produit.",
    imageUrl: null,
  },
  order: {
    title: "Sésame",
    description: "Suivez votre commande et vos accès.",
    imageUrl: null,
  },
  /** The page of a payment made in a provider's widget. */
  widget: {
    tab: "Paiement",
    names: { fedapay: "FedaPay", kkiapay: "KkiaPay" },
    by: (name: string) => `Paiement par ${name}`,
    francs: (amount: number) => sayFrancs(amount),
    pay: "Payer",
    hosted: (name: string) => `Payer sur la page de ${name}`,
    status: "Suivre ma commande",
    note: "Fermer la fenêtre de paiement n'annule rien : la commande reste en attente.",
    goneTitle: "Ce paiement n'est plus ouvert ici",
    goneText: "Revenez à votre commande dans Telegram pour continuer.",
  },
} as const;
