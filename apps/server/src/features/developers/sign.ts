import { createHmac } from "node:crypto";
import { SECRET_PREFIX } from "@sesame/contract/developers";
import type { Chance } from "@sesame/kernel";

const SECRET_BYTES = 32;

/** A secret of the Standard Webhooks rules: whsec_ and 32 random bytes in base64. */
export function drawSecret(chance: Chance): string {
  return SECRET_PREFIX + Buffer.from(chance.bytes(SECRET_BYTES)).toString("base64");
}

export type Signed = {
  readonly id: string;
  readonly at: Date;
  readonly body: string;
};

/** The three headers: each secret signs, so that a change of secret loses nothing. */
export function signatureHeaders(
  { id, at, body }: Signed,
  secrets: readonly string[],
): Record<string, string> {
  const seconds = String(Math.floor(at.getTime() / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
    const hmac = createHmac("sha256", key).update(`${id}.${seconds}.${body}`);
    return `v1,${hmac.digest("base64")}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": seconds,
    "webhook-signature": signatures.join(" "),
  };
}
