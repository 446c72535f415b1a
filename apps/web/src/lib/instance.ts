import { parseJson } from "./request.ts";

/** What the server writes about this instance into the page itself, so that no screen waits for a call. */
type Instance = {
  /** Its user name, without @; null while the server does not know it. */
  readonly sellerBot?: string | null;
  readonly communityUrl?: string | null;
  readonly supportTelegram?: string | null;
  readonly supportWhatsapp?: string | null;
};

export function readInstance(): Instance {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="sesame-instance"]');
  return (parseJson(meta?.content ?? "") ?? {}) as Instance;
}

/** The address of the support; null: this instance has none. */
export function supportAddress(instance: Instance): string | null {
  const { supportTelegram, supportWhatsapp } = instance;
  if (supportTelegram) {
    return supportTelegram.startsWith("http")
      ? supportTelegram
      : `https://t.me/${supportTelegram.replace(/^@/, "")}`;
  }
  return supportWhatsapp ? `https://wa.me/${supportWhatsapp.replace(/\D/g, "")}` : null;
}
