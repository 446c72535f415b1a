const LONGEST = 500;

/** What looks like a secret: bot tokens, providers' keys, bearer tokens, passwords in an address. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/\d{5,}:[A-Za-z0-9_-]{16,}/g, "[token]"],
  [/\b(?:sk|pk|wh|whsec|live|test|sandbox)_[A-Za-z0-9_-]{8,}/gi, "[key]"],
  [
    /\b(bearer|basic|token|apikey|api-key|secret|password)(["']?\s*[:=\s]\s*["']?)[^\s"',;&]{6,}/gi,
    "$1$2[redacted]",
  ],
  [/:\/\/[^\s/@]+@/g, "://[redacted]@"],
  [/\b[A-Za-z0-9+_-]{40,}={0,2}/g, "[redacted]"],
];

/** An error as it may be kept and shown: without what looks like a secret, and not too long. */
export function redactError(error: string): string {
  let text = error
    .toWellFormed()
    .replaceAll("\0", "")
    .slice(0, 4 * LONGEST);
  for (const [pattern, replacement] of SECRETS) text = text.replace(pattern, replacement);
  return text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed()}…` : text;
}
