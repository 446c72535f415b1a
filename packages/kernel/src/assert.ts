/** We are wrong: the request or job stops, is logged with an id, and answers 500. */
export class Bug extends Error {
  override name = "Bug";
}

export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Bug(message);
}

/** Closes an exhaustive `switch`: the compiler refuses a case left out. */
export function unreachable(value: never): never {
  throw new Bug(`unexpected value: ${JSON.stringify(value)}`);
}
