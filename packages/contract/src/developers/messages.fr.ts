import type { EventType, KeyScope } from "./policy.ts";

export const SCOPE_NAMES: Readonly<Record<KeyScope, string>> = {
  "products:read": "Lire les produits",
  "products:write": "Activer ou désactiver un produit",
  "orders:read": "Lire les commandes",
  "accesses:read": "Lire les accès des membres",
  "statistics:read": "Lire les statistiques",
};

export const EVENT_NAMES: Readonly<Record<EventType, string>> = {
  "order.paid": "Commande payée",
  "order.refunded": "Commande remboursée",
  "access.started": "Membre entré dans le groupe",
  "access.ended": "Accès terminé",
  "product.updated": "Produit modifié",
  "withdrawal.paid": "Retrait versé",
};

export const KEY_CREATED = "Clé créée : copiez-la maintenant, elle ne sera plus affichée.";
export const KEY_CREATED_BEFORE =
  "Cette clé a déjà été créée et ne peut plus être affichée. Révoquez-la si vous ne l'avez pas copiée.";
export const KEY_REVOKED = "Clé révoquée : elle n'ouvre plus rien.";
export const ENDPOINT_CREATED = "Adresse ajoutée : copiez son secret maintenant.";
export const ENDPOINT_CHANGED = "Adresse modifiée.";
export const ENDPOINT_DELETED = "Adresse supprimée : plus rien ne lui est envoyé.";
export const SECRET_ROTATED =
  "Nouveau secret créé : pendant 24 heures, l'ancien signe encore à ses côtés.";
export const PING_SENT = "Événement de test envoyé.";
export const REPLAY_SENT = "Événement renvoyé.";
