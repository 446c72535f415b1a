import { CRASHED } from "@sesame/contract";

export const appCopy = {
  tabs: "Navigation principale",
  home: "Accueil",
  products: "Produits",
  groups: "Groupes",
  statistics: "Stats",
  settings: "Réglages",
  back: "Retour",
  unknownRoute: "Cette page n'existe pas. Vous êtes à l'accueil.",
  crashed: CRASHED,
  crashedText: "La page n'a pas pu s'afficher. Vos données sont en sécurité sur le serveur.",
  crashedScreen: "Cette page n'a pas pu s'afficher. Les autres restent ouvertes.",
  notHere: "Cette page n'est pas encore sur votre téléphone",
  notHereText: "Elle s'ouvrira dès que le réseau sera revenu.",
  reload: "Recharger",
  sale: (amount: string, title: string) => `Nouvelle vente : ${amount} · ${title}`,
  saleShort: "Nouvelle vente",
  answered: "Le support vous a répondu",
  withdrawal: {
    approved: "Retrait approuvé",
    rejected: "Retrait rejeté : voyez le motif dans vos retraits",
    paid: "Argent envoyé",
  } as Readonly<Partial<Record<string, string>>>,
  skip: "Aller au contenu",
} as const;
