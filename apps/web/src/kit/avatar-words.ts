const HUES = 6;

export type AvatarWords = {
  /** Empty under a picture. */
  readonly letters: string;
  readonly hue: string;
};

export function avatarWords(name: string, photo: string | null): AvatarWords {
  return { letters: photo ? "" : initialsOf(name), hue: hueOf(name) };
}

function hueOf(name: string): string {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9_973;
  return String(sum % HUES);
}

function initialsOf(name: string): string {
  const words = name.split(/[\s·—–-]+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  return words
    .slice(0, 2)
    .map((word) => [...word].find((letter) => /[\p{L}\p{N}]/u.test(letter)) ?? "")
    .join("")
    .toUpperCase();
}
