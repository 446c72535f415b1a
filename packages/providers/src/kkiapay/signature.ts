import { createHash, timingSafeEqual } from "node:crypto";

/**
 * `x-kkiapay-secret`: the secret typed in their dashboard, as it is (reference §6.5). Nothing of the
 * body is signed, so it proves little; compared in constant time, whatever its length.
 */
export function isTheirSecret(
  header: string | readonly string[] | undefined,
  secret: string,
): boolean {
  if (typeof header !== "string" || header === "" || secret === "") return false;
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(header), digest(secret));
}
