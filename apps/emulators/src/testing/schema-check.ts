import { textOf } from "@sesame/kernel";
import { readFileSync } from "node:fs";
import type { Exchange } from "../telegram/bot-api-server.ts";
import type { Update } from "grammy/types";

/**
 * Checks the calls between a bot and Telegram against Bot API 10.1, by a description that neither
 * side was written from.
 */
export type SchemaCheck = {
  /** Mistakes in the parameters and in the answer; none when both are right. */
  exchange(exchange: Exchange): string[];
  update(update: Update): string[];
};

/** `constant`: the one text that Telegram says it always is. */
type Field = { name: string; types: string[]; required: boolean; constant?: string };
type Shape = { fields?: Field[]; subtypes?: string[] };
type Schema = {
  methods: Record<string, { fields?: Field[]; returns: string[] }>;
  types: Record<string, Shape>;
};

export function openSchema(): SchemaCheck {
  const file = new URL("./bot-api-10.1.json", import.meta.url);
  const schema = JSON.parse(readFileSync(file, "utf8")) as Schema;
  return {
    exchange: (exchange) => checkExchange(schema, exchange),
    update: (update) => checkTypes(schema, { types: ["Update"], value: update, at: "Update" }),
  };
}

function checkExchange(schema: Schema, exchange: Exchange): string[] {
  const wanted = exchange.method.toLowerCase();
  const found = Object.entries(schema.methods).find(([name]) => name.toLowerCase() === wanted);
  if (found === undefined) return [`${exchange.method}: no such method`];
  const [name, method] = found;
  const { answer } = exchange;
  if (answer === null || !answer.ok) {
    // A refused call may be wrong: that is why it is refused.
    return answer === null ? [] : checkRefusal(name, answer);
  }
  const params = exchange.encoding === "json" ? exchange.params : fromForm(method, exchange);
  return [
    ...checkFields(schema, { fields: method.fields ?? [], value: params, at: name }),
    ...checkTypes(schema, { types: method.returns, value: answer.result, at: `${name} answer` }),
  ];
}

function checkRefusal(name: string, answer: Extract<Exchange["answer"], { ok: false }>): string[] {
  const known = ["ok", "error_code", "description", "parameters"];
  return Object.keys(answer)
    .filter((key) => !known.includes(key))
    .map((key) => `${name}: unknown field ${key} in a refusal`);
}

/** Forms carry text only: numbers, booleans and objects are read out of it. */
function fromForm(method: { fields?: Field[] }, exchange: Exchange): Record<string, unknown> {
  const read = Object.entries(exchange.params).map(([name, value]) => {
    const types = method.fields?.find((field) => field.name === name)?.types ?? [];
    if (typeof value !== "string" || types.includes("String")) return [name, value];
    try {
      return [name, JSON.parse(value) as unknown];
    } catch {
      return [name, value];
    }
  });
  return Object.fromEntries(read) as Record<string, unknown>;
}

type Fielded = { fields: Field[]; value: object; at: string };

function checkFields(schema: Schema, { fields, value, at }: Fielded): string[] {
  const problems: string[] = [];
  const given = value as Record<string, unknown>;
  for (const field of fields) {
    const content = given[field.name];
    if (content === undefined) {
      if (field.required) problems.push(`${at}: ${field.name} is missing`);
      continue;
    }
    const where = `${at}.${field.name}`;
    problems.push(...checkTypes(schema, { types: field.types, value: content, at: where }));
    if (field.constant !== undefined && content !== field.constant) {
      problems.push(`${where}: ${textOf(content)} instead of ${field.constant}`);
    }
  }
  const names = new Set(fields.map((field) => field.name));
  for (const name of Object.keys(given)) {
    if (!names.has(name)) problems.push(`${at}: unknown field ${name}`);
  }
  return problems;
}

type Typed = { types: string[]; value: unknown; at: string };

/** Whether it fits one of the types, or the mistakes for the type that is nearest. */
function checkTypes(schema: Schema, { types, value, at }: Typed): string[] {
  const tried = types.map((type) => checkType(schema, type, { value, at }));
  return tried.sort((a, b) => a.length - b.length)[0] ?? [];
}

function checkType(schema: Schema, type: string, seen: { value: unknown; at: string }): string[] {
  const { value, at } = seen;
  const wrong = (fits: boolean) => (fits ? [] : [`${at}: ${JSON.stringify(value)} is no ${type}`]);
  if (type.startsWith("Array of ")) {
    if (!Array.isArray(value)) return wrong(false);
    const inner = [type.slice("Array of ".length)];
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
  if (shape.subtypes !== undefined) return checkTypes(schema, { types: shape.subtypes, value, at });
  if (typeof value !== "object" || value === null || Array.isArray(value)) return wrong(false);
  return checkFields(schema, { fields: shape.fields ?? [], value, at });
}
