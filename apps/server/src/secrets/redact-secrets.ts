const HIDDEN = "[…]";
/** A shorter text could be part of ordinary words. */
const SHORTEST = 6;

type Clean = (text: string) => string;

/**
 * The same port, whose answers and errors contain no key: a provider, or a library, may put one in
 * its text, which goes to logs, jobs, the back office, and people.
 */
export function redact<Port extends object>(port: Port, secrets: readonly string[]): Port {
  const clean = cleanerOf(secrets);
  return new Proxy(port, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver);
      return typeof value === "function" ? guard(value, clean) : value;
    },
  });
}

function guard(call: Function, clean: Clean): (...asked: unknown[]) => unknown {
  return (...asked) => {
    try {
      const answer: unknown = Reflect.apply(call, undefined, asked);
      if (!(answer instanceof Promise)) return cleanAll(answer, clean);
      return answer.then(
        (answered: unknown) => cleanAll(answered, clean),
        (error: unknown) => Promise.reject(cleanError(error, clean)),
      );
    } catch (error) {
      throw cleanError(error, clean);
    }
  };
}

function cleanerOf(secrets: readonly string[]): Clean {
  // The longest first: one may be the beginning of another.
  const hidden = secrets
    .filter((secret) => secret.length >= SHORTEST)
    .flatMap((secret) => [
      secret,
      encodeURIComponent(secret),
      Buffer.from(secret).toString("base64"),
      Buffer.from(secret).toString("hex"),
    ])
    .sort((a, b) => b.length - a.length);
  return (text) => hidden.reduce((cleaned, form) => cleaned.replaceAll(form, HIDDEN), text);
}

function cleanAll(value: unknown, clean: Clean): unknown {
  if (typeof value === "string") return clean(value);
  if (Array.isArray(value)) return value.map((item) => cleanAll(item, clean));
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Error) return cleanError(value, clean);
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, cleanAll(item, clean)]),
  );
}

/** In place, so that its class stays. Causes are removed: they quote requests and answers. */
function cleanError(error: unknown, clean: Clean): unknown {
  if (!(error instanceof Error)) return error;
  error.message = clean(error.message);
  if (error.stack) error.stack = clean(error.stack);
  delete error.cause;
  return error;
}

const LONGEST = 500;

/** Forms of secrets: bot tokens, providers' keys, bearer tokens, passwords in an address. */
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

/** An error for storage and display: without texts that look like a secret, and cut to a limit. */
export function redactError(error: string): string {
  let text = error
    .toWellFormed()
    .replaceAll("\0", "")
    .slice(0, 4 * LONGEST);
  for (const [pattern, replacement] of SECRETS) text = text.replace(pattern, replacement);
  return text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed()}…` : text;
}
