import { createHmac, timingSafeEqual } from "node:crypto";

export type Checked = "good" | "no-headers" | "too-old" | "wrong";

type Letter = {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
};

const TOLERANCE_S = 300;

/**
 * Written from the rules at standardwebhooks.com alone, like a developer of their own: it must not share a
 * mistake with whoever signs.
 */
export function checkSignature(letter: Letter, secret: string, now: Date): Checked {
  const id = header(letter, "webhook-id");
  const timestamp = header(letter, "webhook-timestamp");
  const signatures = header(letter, "webhook-signature");
  if (!id || !timestamp || !signatures || !/^\d{1,15}$/.test(timestamp)) return "no-headers";
  const age = Math.floor(now.getTime() / 1000) - Number(timestamp);
  if (Math.abs(age) > TOLERANCE_S) return "too-old";
  const key = Buffer.from(secret.split("_")[1] ?? "", "base64");
  const expected = createHmac("sha256", key)
    .update([id, timestamp, letter.body].join("."))
    .digest();
  for (const signature of signatures.split(" ")) {
    const comma = signature.indexOf(",");
    if (signature.slice(0, comma) !== "v1") continue;
    const given = Buffer.from(signature.slice(comma + 1), "base64");
    if (given.length === expected.length && timingSafeEqual(given, expected)) return "good";
  }
  return "wrong";
}

function header({ headers }: Letter, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}
