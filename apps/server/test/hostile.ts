import { randomOf, SEED } from "../../../tools/testing/seeded.ts";

/** Texts that break pages, queries, logs and messages with a careless line of code. */
export const HOSTILE_TEXTS: readonly string[] = [
  `<script>alert(1)</script>`,
  `"><img src=x onerror=alert(1)>`,
  `'"\`--><svg/onload=alert(1)>`,
  `</title></style></textarea></script><b>`,
  `'; DROP TABLE people; --`,
  `{{7*7}} \${7*7} <%= 7*7 %>`,
  `../../../../etc/passwd`,
  "👩🏽‍🚀🇨🇮 é̀ ﷽ 𝕬",
  "\u202Egnirts\u202C \u2066x\u2069",
  "مرحبا שלום",
  "\u2028\u2029\uFEFF\u200B",
  "&lt;b&gt; &amp;amp; &#x3c;",
  `\\u003cscript\\u003e \\x3c \\`,
  "%3Cscript%3E%00%0d%0aSet-Cookie:x=1",
  "*bold* _it_ [a](tg://user?id=1) `c` ||s||",
  "javascript:alert(1)",
  "a".repeat(5_000),
];

/** Ids that nobody has: of other forms, too large, negative, or in other alphabets. */
export const STRANGE_IDS: readonly string[] = [
  "0",
  "-1",
  "1.5",
  "1e3",
  "0x10",
  "+1",
  " 1",
  "1 ",
  "01a",
  "999999999999999999",
  "9223372036854775807",
  "9223372036854775808",
  "1".repeat(400),
  "NaN",
  "null",
  "undefined",
  "true",
  "[object Object]",
  "١٢٣",
  "1;DROP TABLE orders",
  "1'--",
  "💥",
  "\0",
  "1\0",
  "..;",
  "1/2",
  "99999999999999999999/1",
  "../x",
  "%2e%2e",
  "<script>",
];

export const LONG_AND_UNPATTERNED = `"${unpatterned(9_000)}"`;

/**
 * JSON values that break a program which trusts its input: as text, because some do not survive
 * parsing (own `__proto__`, 1e999) or encoding.
 */
export const HOSTILE_JSON: readonly string[] = [
  // Objects with their own conversions: String(), Number(), templates and promises call them.
  `{"toString":0,"valueOf":0}`,
  `{"toString":"x","valueOf":"y","toJSON":1}`,
  `{"then":1}`,
  `{"then":{"toString":0}}`,
  `{"length":1000000000,"0":"a"}`,
  `{"id":{"toString":0}}`,
  `{"message":{"toString":0},"name":0}`,
  `{"__proto__":{"toString":0}}`,
  `{"constructor":{"prototype":{"a":1}}}`,
  `{"constructor":null,"hasOwnProperty":0}`,
  `{}`,
  `{"0":"a","1":"b"}`,
  // Lists instead of objects and texts.
  `[]`,
  `[[]]`,
  `[null]`,
  `["a"]`,
  `[{"toString":0,"valueOf":0}]`,
  `[${Array.from({ length: 1_000 }, () => "0").join(",")}]`,
  // Nested as deep as bodies may be, and deeper.
  nested(30),
  nested(33),
  nested(2_000),
  // Words in place of values.
  `null`,
  `true`,
  `false`,
  // Numbers at the limits.
  `0`,
  `-0`,
  `-1`,
  `1.5`,
  `1e308`,
  `1e999`,
  `-1e999`,
  `9007199254740993`,
  `9223372036854775808`,
  "9".repeat(400),
  `1e-400`,
  // Texts that are keys, numbers, halves of letters, or far too long.
  `""`,
  `" "`,
  `"\\u0000"`,
  `"a\\u0000b"`,
  `"\\ud800"`,
  `"\\udfff\\ud800"`,
  `"__proto__"`,
  `"constructor"`,
  `"toString"`,
  `"NaN"`,
  `"1e999"`,
  `"-1"`,
  `"999999999999999999"`,
  `"${"9".repeat(400)}"`,
  `"${"a".repeat(5_000)}"`,
  `"${"é".repeat(60_000)}"`,
  `"\\u202egnirts"`,
  // Long and random: a compressible text would not reach the limit of a database's index.
  LONG_AND_UNPATTERNED,
  `"%00%ff"`,
];

/** Broke a process, or a route, at 0.1.0: sent everywhere, in samples too. */
export const OWN_TO_STRING = `{"toString":0,"valueOf":0}`;

function unpatterned(length: number): string {
  let text = "";
  for (let state = 1; text.length < length; state = (state * 48_271) % 2_147_483_647) {
    text += state.toString(36);
  }
  return text.slice(0, length);
}

function nested(depth: number): string {
  return `{"a":[`.repeat(depth / 2) + "0" + "]}".repeat(depth / 2);
}

/** Each value inside `value`, the value itself first: the places for other values. */
type JsonPath = readonly (string | number)[];

export function pathsOf(value: unknown): JsonPath[] {
  if (typeof value !== "object" || value === null) return [[]];
  const inner = Object.entries(value).flatMap(([name, item]) =>
    pathsOf(item).map((path) => [Array.isArray(value) ? Number(name) : name, ...path]),
  );
  return [[], ...inner];
}

const MARK = "the hostile value stands here";

/** `value` as JSON text with `hostile` in place of what is at `path`. */
export function plant(value: unknown, path: JsonPath, hostile: string): string {
  return JSON.stringify(replaced(value, path)).replace(JSON.stringify(MARK), () => hostile);
}

function replaced(value: unknown, [name, ...rest]: JsonPath): unknown {
  if (name === undefined) return MARK;
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => (index === name ? replaced(item, rest) : item));
  }
  const known = typeof value === "object" && value !== null ? value : {};
  const inner = Object.entries(known).find(([key]) => key === name)?.[1];
  return { ...known, [name]: replaced(inner, rest) };
}

/** Does the same for each, a few at once. → the results, in their order. */
export async function forEach<T, R>(items: readonly T[], act: (item: T) => Promise<R>) {
  const made: R[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) {
      made[index] = await act(items[index] as T);
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return made;
}

/** The same order for the same SESAME_SEED, so that a failure can be repeated. */
export function createPicker() {
  const next = randomOf(SEED);
  /** This many of them, or all. */
  return <T>(items: readonly T[], count: number): T[] => {
    const left = [...items];
    const taken: T[] = [];
    while (taken.length < count && left.length > 0) {
      taken.push(...left.splice(Math.floor(next() * left.length), 1));
    }
    return taken;
  };
}
