import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** Whether the header has the form of a signature: known before the body is there. */
export function isSignature(header: string | readonly string[] | undefined): header is string {
  return typeof header === "string" && /^[0-9a-f]{64}$/.test(header);
}

/**
 * `crypto-pay-api-signature`: lower-case hex of HMAC-SHA256 over the raw bytes, by the SHA-256 of the
 * token, as bytes (reference §8.1). Compared in constant time; a missing, repeated or upper-case
 * header is a wrong one.
 */
export function isSigned(
  rawBody: Uint8Array,
  header: string | readonly string[] | undefined,
  token: string,
): boolean {
  if (!isSignature(header)) return false;
  const key = createHash("sha256").update(token).digest();
  const expected = createHmac("sha256", key).update(rawBody).digest();
  return timingSafeEqual(expected, Buffer.from(header, "hex"));
}
