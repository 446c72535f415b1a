export type LegalPage = {
  readonly title: string;
  readonly intro: string;
  readonly chapters: readonly { readonly title: string; readonly items: readonly string[] }[];
};

export type LegalFigures = {
  /** "18 %" */
  readonly freeFee: string;
  readonly premiumFee: string;
  readonly claimDays: number;
  readonly sellerHours: number;
};

/** /confidentialite */
export const privacyPage = (): LegalPage => ({
  title: "Confidentialité",
  intro:
    "Ce que Sésame garde de vous, pourquoi, combien de temps, et comment l'obtenir ou l'effacer.",
  chapters: [
    {
      title: "Ce que nous gardons",
      items: [
        "De chaque personne : son identifiant Telegram, son nom, son nom d'utilisateur, sa photo et sa langue, tels que Telegram nous les donne.",
        "D'un acheteur : les produits qu'il a regardés, ses commandes, ses paiements et ses accès, les places qu'il attend ; pour un remboursement à la main, le numéro qu'il indique ; ses réclamations et ses signalements.",
        "D'un vendeur : son profil, ses groupes et ses produits, ses ventes, ses demandes de retrait avec leurs numéros, et ses échanges avec le support. Ses clés de paiement sont chiffrées et ne sont jamais montrées.",
        "Nous ne lisons ni vos messages dans les groupes ni vos contacts. Votre carte ou votre code mobile money restent chez le prestataire de paiement.",
      ],
    },
    {
      title: "Pourquoi",
      items: [
        "Pour encaisser, ouvrir et fermer les accès aux groupes, rendre l'argent, répondre à vos demandes et tenir les comptes.",
        "Rien n'est vendu, et aucune publicité ni mesure d'audience n'est faite.",
      ],
    },
    {
      title: "Qui y a accès",
      items: [
        "Le vendeur voit le nom et le nom d'utilisateur des acheteurs de ses groupes ; avec Premium, ses propres programmes reçoivent leur nom et leur identifiant Telegram, et il en répond. L'acheteur voit le nom affiché par le vendeur.",
        "Notre équipe voit ce qu'il faut pour envoyer l'argent, trancher une réclamation et vous répondre ; ce qu'elle décide est inscrit dans un journal.",
        "Telegram transmet nos messages. Le prestataire que vous choisissez reçoit le montant, notre référence, votre nom et, s'il le demande, votre numéro ou votre e-mail.",
      ],
    },
    {
      title: "Combien de temps",
      items: [
        "Tant que votre compte existe. Les sessions expirées sont oubliées après un jour, les messages techniques reçus de Telegram après deux jours, ce qui est envoyé aux programmes d'un vendeur après trente jours.",
        "Les écritures comptables (commandes, paiements, remboursements, retraits) restent : un compte ne s'efface pas. Après un effacement, elles ne portent plus ni nom ni numéro de téléphone, seulement un identifiant.",
      ],
    },
    {
      title: "Vos droits",
      items: [
        "Obtenir une copie : dans l'application, Réglages puis « Vos données » si vous vendez ; sur « Mes accès » si vous achetez.",
        "Effacer : au même endroit. L'effacement est immédiat et définitif. Il est refusé tant qu'il vous reste de l'argent à retirer, un accès en cours, un paiement, un remboursement ou une réclamation à finir : l'application dit lequel.",
        "Les mots que vous avez écrits dans une réclamation close sont effacés aussi : le dossier garde les étapes et les dates.",
        "Corriger : votre nom et votre photo suivent Telegram ; le nom affiché et les numéros se changent dans l'application.",
        "Si vous revenez ensuite sur Sésame, Telegram nous redonne votre nom : c'est un nouveau départ.",
      ],
    },
  ],
});

/** /conditions */
export const termsPage = (figures: LegalFigures): LegalPage => ({
  title: "Conditions d'utilisation",
  intro: "Ce à quoi s'engagent l'acheteur, le vendeur et Sésame.",
  chapters: [
    {
      title: "La vente",
      items: [
        "Le vendeur fixe le prix et la durée, et répond du contenu de son groupe, qui doit respecter la loi et les règles de Telegram.",
        "Sésame encaisse pour le vendeur et ouvre l'accès pour la durée achetée. À la fin, l'acheteur sort du groupe, sauf s'il renouvelle.",
        "Un lien d'accès est personnel : seul celui qui a payé est admis.",
        "Les paiements se font sur la page d'un prestataire, ou en Stars dans Telegram. Hors Stars, Telegram n'y prend aucune part et n'en répond pas.",
      ],
    },
    {
      title: "Remboursements et réclamations",
      items: [
        "Un paiement confirmé par le prestataire compte toujours, même tard.",
        `Un accès payé et non fourni se signale depuis la commande, jusqu'à ${figures.claimDays} jours après sa fin. Le vendeur a ${figures.sellerHours} heures pour répondre ou rembourser ; ensuite, l'opérateur décide.`,
        "Un remboursement rend tout le prix, frais compris, et met fin à l'accès.",
      ],
    },
    {
      title: "Le vendeur",
      items: [
        `Les frais sont ceux de son plan : ${figures.freeFee} avec Gratuit, ${figures.premiumFee} avec Premium. Ils sont figés à la commande.`,
        "L'argent des ventes est à lui : il le retire selon les limites affichées. Avec ses propres clés, il encaisse directement et Sésame ne détient rien.",
        "Un compte ou un produit qui enfreint ces règles peut être suspendu, avec un motif et une date de réexamen. Les accès déjà payés sont servis ou remboursés.",
        "Il peut fermer son compte quand il n'y reste ni argent ni accès en cours.",
      ],
    },
  ],
});

export const legalCopy = {
  privacy: "Confidentialité",
  terms: "Conditions d'utilisation",
  home: "Sésame",
  pages: "Pages de référence",
  contact: "Une question ?",
  telegram: "Écrire au support sur Telegram",
  whatsapp: "Écrire au support sur WhatsApp",
} as const;

const percents = new Intl.NumberFormat("fr-FR", { maximumFractionDigits: 2 });

export const sayPercent = (percent: number): string => `${percents.format(percent)} %`;
