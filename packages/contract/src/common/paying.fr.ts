// A file of its own, so that a buyer's first load includes no other shared sentences.

export const PRODUCT_NOT_FOUND = "Produit introuvable";
export const USER_UNKNOWN = "Utilisateur non identifié";
export const PAYMENT_ID_MISSING = "ID de paiement manquant";
export const METHOD_MISSING = "Veuillez sélectionner une méthode de paiement";
export const METHOD_NOT_FOUND = "Méthode de paiement non trouvée. Veuillez réessayer.";
export const NO_METHOD =
  "Aucun agrégateur de paiement n'est disponible actuellement. Veuillez contacter le support.";
export const NO_PAYMENT_URL = "URL de paiement non fournie par le service";
export const PAYMENT_NOT_CREATED = "Erreur lors de la création du paiement";
export const PAYMENT_NOT_CHECKED = "Erreur lors de la vérification du paiement";
export const PAYMENT_CANNOT_BE_CHECKED = "Impossible de vérifier le paiement. Veuillez réessayer.";
export const PAYMENT_NOT_MADE = "Paiement non effectué";
export const BOT_LACKS_RIGHTS =
  "Le vendeur doit rendre au bot sa place ou ses droits dans le groupe. Il est prévenu : vous pourrez entrer ensuite.";
