import { createHmac, timingSafeEqual } from "node:crypto";

/** A notice older, or further ahead, was kept by someone (reference §5.7). */
const TOLERANCE_S = 300;

export type TimedSignature = {
  /** `X-FEDAPAY-SIGNATURE: t=<unix seconds>,s=<hex>`; several `s=` may stand there. */
  readonly header: string | readonly string[] | undefined;
  readonly secret: string;
  readonly now: Date;
};

/**
 * HMAC-SHA256 over `t`, a dot and the raw bytes, in lower-case hex, compared in constant time. Their
 * own client lets a time far ahead pass; here both sides are bounded.
 */
export function isTimelySigned(rawBody: Uint8Array, signature: TimedSignature): boolean {
  const { header, secret, now } = signature;
  if (typeof header !== "string" || header.length > 2_000) return false;
  const pairs = header.split(",").map((pair) => pair.trim().split("="));
  const times = pairs.filter(([scheme]) => scheme === "t").map(([, value]) => value ?? "");
  const [time] = times;
  if (times.length !== 1 || time === undefined || !/^\d{1,12}$/.test(time)) return false;
  if (Math.abs(now.getTime() / 1000 - Number(time)) > TOLERANCE_S) return false;
  const expected = createHmac("sha256", secret).update(`${time}.`).update(rawBody).digest();
  return pairs.some(
    ([scheme, value, ...rest]) =>
      scheme === "s" &&
      rest.length === 0 &&
      value !== undefined &&
      /^[0-9a-f]{64}$/.test(value) &&
      timingSafeEqual(expected, Buffer.from(value, "hex")),
  );
}
