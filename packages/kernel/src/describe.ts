/**
 * What a thrown value says, for a log line or a column. Never throws: what is thrown may be
 * anything, and an object may bring a `toString` or a `message` of its own.
 */
export function describeError(error: unknown): string {
  try {
    if (error instanceof Error) {
      const { message, name } = error;
      return textOf(message) || textOf(name) || UNREADABLE;
    }
    return textOf(error) || (JSON.stringify(error) ?? typeof error);
  } catch {
    return UNREADABLE;
  }
}

const UNREADABLE = "an error that cannot be read";

/**
 * The text of a value nobody has checked: a string, or a number, boolean or bigint as written.
 * Anything else has none: an object would be asked for its own `toString`.
 */
export function textOf(value: unknown): string {
  switch (typeof value) {
    case "string":
      return value;
    case "number":
    case "boolean":
    case "bigint":
      return String(value);
    default:
      return "";
  }
}
