/** The source of random bytes: an argument, so that tests can repeat them. */
export type Random = { bytes(count: number): Uint8Array };

export const systemRandom: Random = {
  bytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
};

const ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";

/** A token of letters and digits that cannot be confused (no 0/O, 1/l/I). */
export function readableToken(length: number, random: Random): string {
  let token = "";
  while (token.length < length) {
    for (const byte of random.bytes(length)) {
      // Bytes above the last whole multiple would make the first letters more frequent.
      if (byte < 256 - (256 % ALPHABET.length) && token.length < length) {
        token += ALPHABET[byte % ALPHABET.length];
      }
    }
  }
  return token;
}

/** A secret of `byteCount` random bytes, base64url. */
export function secretToken(byteCount: number, random: Random): string {
  const binary = String.fromCharCode(...random.bytes(byteCount));
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
