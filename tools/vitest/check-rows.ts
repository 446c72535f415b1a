/** The kinds of value that the type of each column allows: those of `kindOf`, or "any". */
export type Shape = Readonly<Record<string, readonly string[]>>;

type Reader<T> = (parts: TemplateStringsArray, ...values: unknown[]) => Promise<T>;

/** Reads a statement's rows and compares them with the type beside the statement. */
export function checkRows<T>(read: Reader<T>, shape: Shape, place: string): Reader<T> {
  return async (parts, ...values) => {
    const answer = await read(parts, ...values);
    const columns = Object.entries(shape).filter(([, allowed]) => !allowed.includes("any"));
    for (const row of [answer].flat().filter(Boolean)) {
      for (const [name, allowed] of columns) {
        const kind = kindOf((row as Record<string, unknown>)[name]);
        if (allowed.includes(kind)) continue;
        throw new TypeError(`${place}: ${name} is ${kind}, not ${allowed.join(" or ")}`);
      }
    }
    return answer;
  };
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (value instanceof Date) return "date";
  if (value instanceof Uint8Array) return "bytes";
  return typeof value;
}
