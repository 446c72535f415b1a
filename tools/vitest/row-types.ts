import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseSync, type TSType, Visitor } from "oxc-parser";
import type { Plugin } from "vitest/config";
import type { Shape } from "./check-rows.ts";

/** What one file says. */
type Source = ReturnType<typeof read>;

const READER = /^(many|maybe|one)$/;
const PRIMITIVE = /^(bigint|string|number|boolean|null)$/;
const NAMED: Readonly<Record<string, string>> = {
  Date: "date",
  Fcfa: "bigint",
  Buffer: "bytes",
  Uint8Array: "bytes",
};

/**
 * Compares, in tests, each row of a statement with the type beside the statement: the compiler
 * believes that type and sees no column.
 */
export function rowTypes(): Plugin {
  return {
    name: "sesame-row-types",
    enforce: "pre",
    transform(code, id) {
      if (!/\/(apps|packages)\/.*\/src\/.*\.ts$/.test(id) || id.endsWith(".test.ts")) return;
      if (!/\b(many|maybe|one)</.test(code)) return;
      let text = code;
      for (const { start, end, shape, line } of callsOf(code, id).toReversed()) {
        const said = `${JSON.stringify(shape)}, ${JSON.stringify(`${id}:${line}`)}`;
        text = `${text.slice(0, start)}checkRows(${text.slice(start, end)}, ${said})${text.slice(end)}`;
      }
      const check = JSON.stringify(join(import.meta.dirname, "check-rows.ts"));
      return { code: `import { checkRows } from ${check};${text}`, map: null };
    },
  };
}

/**
 * Calls like `many<Row>(db)`, in the order of the file; those whose type cannot be read are left
 * out.
 */
export function callsOf(code: string, file: string) {
  const source = read(code, file);
  return source.calls.flatMap(({ start, end, row }) => {
    const shape = shapeOf(row, source);
    return shape ? [{ start, end, line: code.slice(0, start).split("\n").length, shape }] : [];
  });
}

function read(code: string, file: string) {
  const calls: { start: number; end: number; row: TSType | undefined }[] = [];
  const types = new Map<string, TSType>();
  const imports = new Map<string, { file: string; name: string }>();
  new Visitor({
    CallExpression({ callee, typeArguments, start, end }) {
      if (callee.type !== "Identifier" || !READER.test(callee.name)) return;
      calls.push({ start, end, row: typeArguments?.params[0] });
    },
    TSTypeAliasDeclaration({ id, typeParameters, typeAnnotation }) {
      if (!typeParameters) types.set(id.name, typeAnnotation);
    },
    ImportDeclaration({ source: { value: from }, specifiers }) {
      for (const one of from.startsWith(".") ? specifiers : []) {
        if (one.type !== "ImportSpecifier" || one.imported.type !== "Identifier") continue;
        const { name } = one.imported;
        imports.set(one.local.name, { file: join(dirname(file), from), name });
      }
    },
  }).visit(parseSync(file, code).program);
  return { code, calls, types, imports };
}

const known = new Map<string, Source>();

/** → the type of that name, and the file that declares it; null for a type of another package */
function find(name: string, source: Source): [type: TSType, source: Source] | null {
  const type = source.types.get(name);
  if (type) return [type, source];
  const from = source.imports.get(name);
  if (!from) return null;
  const other = known.get(from.file) ?? read(readFileSync(from.file, "utf8"), from.file);
  known.set(from.file, other);
  return find(from.name, other);
}

/** → the kinds of each column; null when the type is written in a form that is not read */
function shapeOf(type: TSType | undefined, source: Source): Shape | null {
  if (type?.type === "TSTypeLiteral") {
    const shape: Record<string, string[]> = {};
    for (const member of type.members) {
      if (member.type !== "TSPropertySignature" || !member.typeAnnotation) return null;
      const { key, optional, typeAnnotation } = member;
      const name = source.code.slice(key.start, key.end).replaceAll('"', "");
      shape[name] = optional ? ["any"] : kindsOf(typeAnnotation.typeAnnotation, source);
    }
    return shape;
  }
  if (type?.type === "TSIntersectionType") {
    const parts = type.types.map((each) => shapeOf(each, source));
    return parts.includes(null) ? null : Object.assign({}, ...parts);
  }
  if (type?.type !== "TSTypeReference" || type.typeName.type !== "Identifier") return null;
  const { name } = type.typeName;
  const [of, keys] = type.typeArguments?.params ?? [];
  if (name === "Readonly") return shapeOf(of, source);
  if (name === "Pick" || name === "Omit") {
    const whole = shapeOf(of, source);
    const listed = source.code.slice(keys?.start, keys?.end).match(/(?<=")\w+(?=")/g);
    if (!whole || !listed) return null;
    const columns = Object.entries(whole);
    return Object.fromEntries(
      columns.filter(([column]) => listed.includes(column) === (name === "Pick")),
    );
  }
  const found = find(name, source);
  return found && shapeOf(...found);
}

function kindsOf(type: TSType, source: Source): string[] {
  const name = source.code.slice(type.start, type.end);
  if (PRIMITIVE.test(name)) return [name];
  if (NAMED[name]) return [NAMED[name]];
  if (type.type === "TSUnionType") return type.types.flatMap((each) => kindsOf(each, source));
  // A list, or a readonly one.
  if (/\[\]$|^(readonly )?\[/.test(name)) return ["array"];
  if (type.type === "TSLiteralType") {
    return ["value" in type.literal ? typeof type.literal.value : "any"];
  }
  const found = find(name, source);
  return found ? kindsOf(...found) : ["any"];
}
