/** How a question at the desk can be read. */
export type SearchKey = {
  /** As it was typed, without blanks around. */
  readonly text: string;
  /** Of ours, or Telegram's. */
  readonly id: bigint | null;
  /** Without @. */
  readonly username: string | null;
  /** The last eight figures of a phone number. */
  readonly phone: string | null;
  /** A reference or a provider's id: no blank in it. */
  readonly reference: string | null;
  /** Words of a name, in lower case, without accents. */
  readonly words: readonly string[];
};

/** Fewer figures name half a country. */
const PHONE_FIGURES = 8;
const WORDS_MAX = 5;

export function readSearch(question: string): SearchKey {
  const text = question.trim();
  const figures = text.replace(/[\s.\-()]/g, "");
  const isNumber = /^\+?\d+$/.test(figures);
  const hashed = /^#?(\d{1,18})$/.exec(figures)?.[1];
  const username = /^@?([A-Za-z0-9_]{2,32})$/.exec(text)?.[1];
  return {
    text,
    id: hashed === undefined ? null : BigInt(hashed),
    username: username?.toLowerCase() ?? null,
    phone: isNumber && figures.length >= PHONE_FIGURES ? figures.slice(-PHONE_FIGURES) : null,
    reference: /^[\x21-\x7e]{2,100}$/.test(text) ? text.replace(/^#/, "") : null,
    words: isNumber ? [] : wordsOf(text),
  };
}

function wordsOf(text: string): string[] {
  const plain = text
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase();
  const words = plain.split(/[^\p{L}\p{N}_]+/u).filter((word) => word.length >= 2);
  return [...new Set(words)].slice(0, WORDS_MAX);
}
