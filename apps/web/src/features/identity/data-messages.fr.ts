export const dataCopy = {
  title: "Vos données",
  subtitle: "Ce que Sésame garde de vous vous appartient.",
  privacy: "Confidentialité",
  privacyText: "Ce que nous gardons, pourquoi, combien de temps",
  terms: "Conditions d'utilisation",
  export: "Télécharger mes données",
  exportText:
    "Un fichier avec tout ce que nous gardons de vous\u00a0: profil, ventes, achats, retraits, messages au support. Aucun mot de passe ni clé n'y figure.",
  exportDone: "Votre fichier est prêt",
  exportFailed: "Le fichier n'a pas pu être préparé. Veuillez réessayer.",
  eraseText:
    "Votre compte vendeur est fermé et vos noms, photo, numéros et messages sont effacés. Les écritures comptables restent, sans votre nom. Il faut d'abord avoir retiré votre solde, et que les accès déjà payés soient arrivés à leur terme.",
  erase: "Effacer mes données",
  confirmTitle: "Effacer définitivement\u202f?",
  confirmText:
    "Vos ventes s'arrêtent, votre plan Premium en cours est perdu, et rien ne pourra être rétabli.",
  confirmYes: "Effacer définitivement",
} as const;
