import { parseJson } from "./text.ts";

/** What the server says of this instance in the page itself, so that nothing waits for a call. */
type Instance = {
  /** By its user name, without @; null while the server does not know it. */
  readonly sellerBot?: string | null;
  readonly communityUrl?: string | null;
  readonly supportTelegram?: string | null;
  readonly supportWhatsapp?: string | null;
};

export function readInstance(): Instance {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="sesame-instance"]');
  return (parseJson(meta?.content ?? "") ?? {}) as Instance;
}

/** Where the support is written to; null: this instance names none. */
export function supportAddress(instance: Instance): string | null {
  const { supportTelegram, supportWhatsapp } = instance;
  if (supportTelegram) {
    return supportTelegram.startsWith("http")
      ? supportTelegram
      : `https://t.me/${supportTelegram.replace(/^@/, "")}`;
  }
  return supportWhatsapp ? `https://wa.me/${supportWhatsapp.replace(/\D/g, "")}` : null;
}
