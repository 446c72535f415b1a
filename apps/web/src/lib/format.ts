// Numbers and dates as French readers expect them: 5 000 FCFA, 3 février 2026.
const NO_BREAK_SPACE = "\u00a0";

/** 5000 → "5 000 FCFA", with spaces that do not break. Built without Intl so that the server's and
 * the phone's text are the same to the letter. */
export function formatFcfa(amount: number): string {
  return `${formatNumber(amount)}${NO_BREAK_SPACE}FCFA`;
}

export function formatNumber(value: number): string {
  const sign = value < 0 ? "−" : "";
  const digits = String(Math.abs(Math.trunc(value)));
  return sign + digits.replace(/\B(?=(\d{3})+$)/g, NO_BREAK_SPACE);
}

/** Words that stay on one line, such as the groups of a telephone number. */
export function keepTogether(text: string): string {
  return text.replaceAll(" ", NO_BREAK_SPACE);
}

const MONTHS =
  "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split(" ");

/** An ISO instant as "3 février 2026", in the phone's zone. */
export function formatDay(iso: string): string {
  const date = new Date(iso);
  const day = date.getDate() === 1 ? "1er" : String(date.getDate());
  return `${day} ${MONTHS[date.getMonth()]} ${date.getFullYear()}`;
}

/** An ISO instant as "3 février 2026 à 14:05". */
export function formatInstant(iso: string): string {
  const date = new Date(iso);
  const time = `${String(date.getHours()).padStart(2, "0")}:${String(date.getMinutes()).padStart(2, "0")}`;
  return `${formatDay(iso)} à ${time}`;
}
