const HIDDEN = "[…]";
/** Of a shorter one, the words of the language hold too many. */
const SHORTEST = 6;

type Clean = (text: string) => string;

/**
 * The same port, of which no answer and no error holds a key: what a careless provider, or a
 * library, puts in its words goes to logs, to jobs, to the desk, to people.
 */
export function hush<Port extends object>(port: Port, secrets: readonly string[]): Port {
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
        (told: unknown) => cleanAll(told, clean),
        (error: unknown) => Promise.reject(cleanError(error, clean)),
      );
    } catch (error) {
      throw cleanError(error, clean);
    }
  };
}

function cleanerOf(secrets: readonly string[]): Clean {
  // The longest first: one may begin as another does.
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

/** In place, so that it stays what it is. Causes are left out: they quote what was sent and answered. */
function cleanError(error: unknown, clean: Clean): unknown {
  if (!(error instanceof Error)) return error;
  error.message = clean(error.message);
  if (error.stack) error.stack = clean(error.stack);
  delete error.cause;
  return error;
}
