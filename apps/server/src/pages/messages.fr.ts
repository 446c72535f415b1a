import { sayFrancs, PRODUCT_NOT_FOUND } from "@sesame/contract";
import type { PublicShopOnWire } from "@sesame/contract/catalogue";

/** Titles and descriptions of pages, for the tab and for link previews. */
export const pagesCopy = {
  soldBy: (seller: string) => `Vendu par ${seller}, payé en mobile money.`,
  missing: {
    title: PRODUCT_NOT_FOUND,
    description: "Ce lien ne mène à aucun produit.",
  },
  shop: ({ seller, products }: PublicShopOnWire) => ({
    title: `Boutique de ${seller.name}`,
    description:
      products.length === 0
        ? "Rien en vente pour le moment."
        : products
            .map(({ title }) => title)
            .join(" · ")
            .slice(0, 160),
  }),
  missingShop: {
    title: "Boutique introuvable",
    description: "Ce lien ne mène à aucune boutique.",
  },
  order: {
    title: "Sésame",
    description: "Suivez votre commande et vos accès.",
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
    goneBack: "Retrouver ma commande",
  },
} as const;
