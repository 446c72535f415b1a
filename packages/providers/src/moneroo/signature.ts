import { createHmac, timingSafeEqual } from "node:crypto";

/** Whether the header has the form of a signature: known before the body is there. */
export function isSignature(header: string | readonly string[] | undefined): header is string {
  return typeof header === "string" && /^[0-9a-f]{64}$/.test(header);
}

/**
 * `X-Moneroo-Signature`: lower-case hex of HMAC-SHA256 over the raw bytes (reference §4.6).
 * Compared in constant time; a missing, repeated or upper-case header is a wrong one.
 */
export function isSigned(
  rawBody: Uint8Array,
  header: string | readonly string[] | undefined,
  secret: string,
): boolean {
  if (!isSignature(header)) return false;
  const expected = createHmac("sha256", secret).update(rawBody).digest();
  return timingSafeEqual(expected, Buffer.from(header, "hex"));
}
