/** Where chance comes from: an argument, so that tests can repeat it. */
export type Chance = { bytes(count: number): Uint8Array };

export const systemChance: Chance = {
  bytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
};

const ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";

/** A token of letters and digits that nobody mistakes for one another (no 0/O, 1/l/I). */
export function readableToken(length: number, chance: Chance): string {
  let token = "";
  while (token.length < length) {
    for (const byte of chance.bytes(length)) {
      // Bytes beyond the last whole multiple would favour the first letters.
      if (byte < 256 - (256 % ALPHABET.length) && token.length < length) {
        token += ALPHABET[byte % ALPHABET.length];
      }
    }
  }
  return token;
}

/** A secret of `byteCount` random bytes, base64url. */
export function secretToken(byteCount: number, chance: Chance): string {
  const binary = String.fromCharCode(...chance.bytes(byteCount));
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
