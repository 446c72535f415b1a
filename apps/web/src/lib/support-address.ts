import type { Instance } from "./instance.ts";

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
