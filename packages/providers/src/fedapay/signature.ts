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
  const parts = readHeader(signature);
  if (parts === null) return false;
  const { time, signatures } = parts;
  const expected = createHmac("sha256", signature.secret)
    .update(`${time}.`)
    .update(rawBody)
    .digest();
  return signatures.some((value) => timingSafeEqual(expected, Buffer.from(value, "hex")));
}

/** Whether the header has the form of a signature of these minutes: known before the body is there. */
export function isTimelySignature(signature: Pick<TimedSignature, "header" | "now">): boolean {
  return (readHeader(signature)?.signatures.length ?? 0) > 0;
}

function readHeader({
  header,
  now,
}: Pick<TimedSignature, "header" | "now">): { time: string; signatures: string[] } | null {
  if (typeof header !== "string" || header.length > 2_000) return null;
  const pairs = header.split(",").map((pair) => pair.trim().split("="));
  const times = pairs.filter(([scheme]) => scheme === "t").map(([, value]) => value ?? "");
  const [time] = times;
  if (times.length !== 1 || time === undefined || !/^\d{1,12}$/.test(time)) return null;
  if (Math.abs(now.getTime() / 1000 - Number(time)) > TOLERANCE_S) return null;
  const signatures = pairs.flatMap(([scheme, value, ...rest]) =>
    scheme === "s" && rest.length === 0 && /^[0-9a-f]{64}$/.test(value ?? "") ? [value ?? ""] : [],
  );
  return { time, signatures };
}
