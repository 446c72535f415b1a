/** The kinds of value that the type of each column allows: those of `kindOf`, or "any". */
export type Shape = Readonly<Record<string, readonly string[]>>;

type Reader<T> = (parts: TemplateStringsArray, ...values: unknown[]) => Promise<T>;

/** Reads a statement's rows and compares them with the type beside the statement. */
export function checkRows<T>(read: Reader<T>, shape: Shape, place: string): Reader<T> {
  return async (parts, ...values) => {
    const answer = await read(parts, ...values);
    for (const row of Array.isArray(answer) ? answer : [answer]) {
      if (row) checkRow(row as Record<string, unknown>, shape, place);
    }
    return answer;
  };
}

function checkRow(row: Record<string, unknown>, shape: Shape, place: string): void {
  for (const [name, allowed] of Object.entries(shape)) {
    if (allowed.includes("any")) continue;
    const kind = kindOf(row[name]);
    if (!allowed.includes(kind)) {
      throw new TypeError(`${place}: ${name} is ${kind}, not ${allowed.join(" or ")}`);
    }
  }
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (value instanceof Date) return "date";
  if (value instanceof Uint8Array) return "bytes";
  return typeof value;
}
