/** The operator writes a name, a number or an address: each becomes one that opens. */
export function telegramAddress(given: string): string {
  return /^https?:/.test(given) ? given : `https://t.me/${given.replace(/^@/, "")}`;
}

export function whatsappAddress(given: string): string {
  return /^https?:/.test(given) ? given : `https://wa.me/${given.replace(/\D/g, "")}`;
}
