export type AvatarWords = {
  /** Empty under a picture. */
  readonly letters: string;
};

export function avatarWords(name: string, photo: string | null): AvatarWords {
  return { letters: photo ? "" : initialsOf(name) };
}

function initialsOf(name: string): string {
  const words = name.split(/[\s·—–-]+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  return words
    .slice(0, 2)
    .map((word) => [...word].find((letter) => /[\p{L}\p{N}]/u.test(letter)) ?? "")
    .join("")
    .toUpperCase();
}
