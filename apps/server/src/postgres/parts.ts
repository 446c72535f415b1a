import { type RawBuilder, sql } from "kysely";

/**
 * A part of one statement: an expression with a JSON value, and the function that reads it.
 * Features give parts of their own SQL; a caller who needs several in one round trip joins them
 * (decision 0026).
 */
export type Part<T> = {
  readonly json: RawBuilder<unknown>;
  read(value: unknown): T | Promise<T>;
};

/** A part about one seller; `seller` is the id: a parameter, or a column of the statement. */
export type SellerPart<T> = (seller: RawBuilder<unknown>) => Part<T>;

type KindOf<V> = V extends bigint
  ? "bigint"
  : V extends Date
    ? "instant"
    : V extends Uint8Array
      ? "bytes"
      : never;

/** The columns without a JSON type: the compiler requires exactly those of the row. */
export type Kinds<Row> = {
  readonly [K in keyof Row as [KindOf<NonNullable<Row[K]>>] extends [never] ? never : K]: KindOf<
    NonNullable<Row[K]>
  >;
};

/** The rows of a SELECT, in its order, as a query of their own would give them. */
export function rowsPart<Row extends object>(
  select: RawBuilder<Row>,
  kinds: Kinds<Row>,
): Part<Row[]> {
  const named = Object.entries(kinds) as [string, keyof typeof REVIVE][];
  return {
    json: answerRowsPart(select).json,
    read(value) {
      const rows = value as Record<string, unknown>[];
      for (const row of rows) {
        for (const [column, kind] of named) {
          const said = row[column];
          if (said !== null && said !== undefined) row[column] = REVIVE[kind](said);
        }
      }
      return rows as Row[];
    },
  };
}

/** `rowsPart` for rows of an answer: its codecs accept JSON values unchanged. */
export function answerRowsPart<Row>(select: RawBuilder<Row>): Part<Row[]> {
  return {
    json: sql`(SELECT coalesce(json_agg(row_to_json(part)), '[]'::json) FROM (${select}) AS part)`,
    read: (value) => value as Row[],
  };
}

const REVIVE = {
  // Ids and francs on the wire are exact JSON numbers (below 2^53) before they become BigInt.
  bigint: (said: unknown) => BigInt(said as number),
  instant: (said: unknown) => new Date(said as string),
  bytes: (said: unknown) => Buffer.from((said as string).slice(2), "hex"),
} as const;

export function mapPart<A, B>(part: Part<A>, make: (value: A) => B | Promise<B>): Part<B> {
  return { json: part.json, read: async (value) => make(await part.read(value)) };
}

/** Several parts as one, under the same names. */
export function sideBySide<T extends object>(
  parts: { readonly [K in keyof T]: Part<T[K]> },
): Part<T> {
  const named = Object.entries(parts) as [string, Part<unknown>][];
  return {
    json: sql`json_build_array(${sql.join(named.map(([, part]) => part.json))})`,
    async read(value) {
      const values = value as unknown[];
      const read = await Promise.all(
        named.map(async ([name, part], index) => [name, await part.read(values[index])] as const),
      );
      return Object.fromEntries(read) as T;
    },
  };
}
