import type { KeyName } from "../checkout/providers.fr.ts";

export const KEY_LABELS: Readonly<Record<KeyName, string>> = {
  secretKey: "Clé secrète",
  publicKey: "Clé publique",
  privateKey: "Clé privée",
  masterKey: "Clé principale",
  token: "Jeton",
  webhookSecret: "Secret des notifications",
};
