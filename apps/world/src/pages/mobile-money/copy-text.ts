import type { PhoneHandle } from "../phone/phone-context.ts";

/** Puts words in the clipboard and says so; a browser may refuse without harm. */
export function copyText(
  phone: Pick<PhoneHandle, "say">,
  { text, said }: { text: string; said: string },
): void {
  void navigator.clipboard?.writeText(text).catch(() => undefined);
  phone.say(said);
}
