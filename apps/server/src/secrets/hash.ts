import { createHash } from "node:crypto";

/** Secrets, and the contents of repeated calls, are kept as hashes only. */
export function hashOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
