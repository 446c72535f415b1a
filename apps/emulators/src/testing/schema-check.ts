import { textOf } from "@sesame/kernel";
import { readFileSync } from "node:fs";
import type { Exchange } from "../telegram/bot-api-server.ts";
import type { Update } from "grammy/types";

/** `name` or, where it may be missing, `name?` → its types between bars; `=` the one text that it is. */
type Shape = Readonly<Record<string, string>>;
type Schema = {
  readonly returns: Readonly<Record<string, string>>;
  readonly methods: Readonly<Record<string, Shape>>;
  /** Fields, or the types that it may be. */
  readonly types: Readonly<Record<string, Shape | string[]>>;
};

/**
 * Checks the calls between a bot and Telegram against Bot API 10.1, by a description that neither
 * side was written from.
 */
export function openSchema() {
  const file = new URL("./bot-api-10.1.json", import.meta.url);
  const schema = JSON.parse(readFileSync(file, "utf8")) as Schema;
  return {
    /** Mistakes in the parameters and in the answer; none when both are right. */
    exchange: (exchange: Exchange) => checkExchange(schema, exchange),
    update: (update: Update) =>
      checkTypes(schema, { types: "Update", value: update, at: "Update" }),
  };
}

function checkExchange(schema: Schema, exchange: Exchange): string[] {
  const wanted = exchange.method.toLowerCase();
  const found = Object.entries(schema.methods).find(([name]) => name.toLowerCase() === wanted);
  if (found === undefined) return [`${exchange.method}: no such method`];
  const [name, shape] = found;
  const { answer } = exchange;
  if (answer === null || !answer.ok) {
    // A refused call may be wrong: that is why it is refused.
    return answer === null ? [] : checkRefusal(name, answer);
  }
  const params = exchange.encoding === "json" ? exchange.params : fromForm(shape, exchange);
  const types = schema.returns[name] ?? "";
  return [
    ...checkFields(schema, { shape, value: params, at: name }),
    ...checkTypes(schema, { types, value: answer.result, at: `${name} answer` }),
  ];
}

function checkRefusal(name: string, answer: Extract<Exchange["answer"], { ok: false }>): string[] {
  const known = ["ok", "error_code", "description", "parameters"];
  return Object.keys(answer)
    .filter((key) => !known.includes(key))
    .map((key) => `${name}: unknown field ${key} in a refusal`);
}

/** Forms carry text only: numbers, booleans and objects are read out of it. */
function fromForm(shape: Shape, exchange: Exchange): Record<string, unknown> {
  const read = Object.entries(exchange.params).map(([name, value]) => {
    const types = shape[name] ?? shape[`${name}?`] ?? "";
    if (typeof value !== "string" || types.split("|").includes("String")) return [name, value];
    try {
      return [name, JSON.parse(value) as unknown];
    } catch {
      return [name, value];
    }
  });
  return Object.fromEntries(read) as Record<string, unknown>;
}

type Fielded = { shape: Shape; value: object; at: string };

function checkFields(schema: Schema, { shape, value, at }: Fielded): string[] {
  const problems: string[] = [];
  const given = new Map<string, unknown>(Object.entries(value));
  for (const [key, kind] of Object.entries(shape)) {
    const name = key.replace("?", "");
    const content = given.get(name);
    given.delete(name);
    if (content === undefined) {
      if (key === name) problems.push(`${at}: ${name} is missing`);
      continue;
    }
    const where = `${at}.${name}`;
    const [types = "", constant] = kind.split("=");
    problems.push(...checkTypes(schema, { types, value: content, at: where }));
    if (constant !== undefined && content !== constant) {
      problems.push(`${where}: ${textOf(content)} instead of ${constant}`);
    }
  }
  return [...problems, ...[...given.keys()].map((name) => `${at}: unknown field ${name}`)];
}

type Typed = { types: string; value: unknown; at: string };

/** Whether it fits one of the types, or the mistakes for the type that is nearest. */
function checkTypes(schema: Schema, { types, value, at }: Typed): string[] {
  const tried = types.split("|").map((type) => checkType(schema, type, { value, at }));
  return tried.sort((a, b) => a.length - b.length)[0] ?? [];
}

function checkType(schema: Schema, type: string, seen: { value: unknown; at: string }): string[] {
  const { value, at } = seen;
  const wrong = (fits: boolean) => (fits ? [] : [`${at}: ${JSON.stringify(value)} is no ${type}`]);
  if (type.startsWith("Array of ")) {
    if (!Array.isArray(value)) return wrong(false);
    const inner = type.slice("Array of ".length);
    return value.flatMap((each: unknown, index) =>
      checkTypes(schema, { types: inner, value: each, at: `${at}[${index}]` }),
    );
  }
  switch (type) {
    case "Integer":
      return wrong(Number.isSafeInteger(value));
    case "Float":
      return wrong(typeof value === "number");
    case "String":
    case "InputFile":
      return wrong(typeof value === "string");
    case "Boolean":
      return wrong(typeof value === "boolean");
  }
  const shape = schema.types[type];
  if (shape === undefined) return [`${at}: the description knows no ${type}`];
  if (Array.isArray(shape)) return checkTypes(schema, { types: shape.join("|"), value, at });
  if (typeof value !== "object" || value === null || Array.isArray(value)) return wrong(false);
  return checkFields(schema, { shape, value, at });
}
