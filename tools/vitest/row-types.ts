import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import type { Plugin } from "vitest/config";
import type { Kind, Shape } from "./check-rows.ts";

type Program = ReturnType<typeof parseSync>["program"];
// The parser's nodes are read by their fields, without its types.
type Node = { readonly type: string; readonly [field: string]: unknown };
type Names = {
  readonly types: ReadonlyMap<string, Node>;
  readonly imports: ReadonlyMap<string, { readonly file: string; readonly name: string }>;
};

const READER = /^(many|maybe|one)$/;
const PRIMITIVES: Readonly<Record<string, Kind>> = {
  TSBigIntKeyword: "bigint",
  TSStringKeyword: "string",
  TSNumberKeyword: "number",
  TSBooleanKeyword: "boolean",
  TSNullKeyword: "null",
  TSArrayType: "array",
  TSTupleType: "array",
};
const NAMED: Readonly<Record<string, Kind>> = {
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
      const edits = callsOf(code, id).map(({ start, end, shape, line }) => {
        const said = `${JSON.stringify(shape)}, ${JSON.stringify(`${id}:${line}`)}`;
        return { start, end, text: `checkRows(${code.slice(start, end)}, ${said})` };
      });
      let text = code;
      for (const edit of edits.toReversed())
        text = text.slice(0, edit.start) + edit.text + text.slice(edit.end);
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
  const { program } = parseSync(file, code);
  const names = namesOf(program, file);
  const calls: { start: number; end: number; line: number; shape: Shape }[] = [];
  new Visitor({
    CallExpression(call) {
      const [row] = call.typeArguments?.params ?? [];
      if (call.callee.type !== "Identifier" || !READER.test(call.callee.name) || !row) return;
      const shape = shapeOf(row as unknown as Node, names);
      const line = code.slice(0, call.start).split("\n").length;
      if (shape) calls.push({ start: call.start, end: call.end, line, shape });
    },
  }).visit(program);
  return calls.toSorted((one, other) => one.start - other.start);
}

const known = new Map<string, Names>();

function readNames(file: string): Names {
  const names =
    known.get(file) ?? namesOf(parseSync(file, readFileSync(file, "utf8")).program, file);
  known.set(file, names);
  return names;
}

function namesOf(program: Program, file: string): Names {
  const types = new Map<string, Node>();
  const imports = new Map<string, { file: string; name: string }>();
  for (const statement of program.body as unknown as Node[]) {
    const declared = (statement["declaration"] ?? statement) as Node;
    const name = (declared["id"] as Node | undefined)?.["name"] as string;
    if (declared.type === "TSTypeAliasDeclaration" && !declared["typeParameters"]) {
      types.set(name, declared["typeAnnotation"] as Node);
    }
    if (statement.type !== "ImportDeclaration") continue;
    const source = (statement["source"] as Node)["value"] as string;
    if (!source.startsWith(".")) continue;
    for (const one of statement["specifiers"] as Node[]) {
      if (one.type !== "ImportSpecifier") continue;
      const local = (one["local"] as Node)["name"] as string;
      const imported = (one["imported"] as Node)["name"] as string;
      imports.set(local, { file: join(dirname(file), source), name: imported });
    }
  }
  return { types, imports };
}

/**
 * → the declaration of a named type, and the names of its file; null for a type of another package
 */
function find(name: string, names: Names): { node: Node; names: Names } | null {
  const node = names.types.get(name);
  if (node) return { node, names };
  const from = names.imports.get(name);
  return from ? find(from.name, readNames(from.file)) : null;
}

const referred = (node: Node) => (node["typeName"] as Node)["name"] as string | undefined;
const given = (node: Node) => ((node["typeArguments"] as Node | null)?.["params"] ?? []) as Node[];

/** → the kinds of each column; null when the type is written in a form that is not read */
function shapeOf(node: Node, names: Names): Shape | null {
  if (node.type === "TSTypeLiteral") {
    const shape: Record<string, Kind[]> = {};
    for (const member of node["members"] as Node[]) {
      const key = member["key"] as Node | undefined;
      const type = (member["typeAnnotation"] as Node | null)?.["typeAnnotation"] as Node;
      if (member.type !== "TSPropertySignature" || !key) return null;
      const kinds = kindsOf(type, names);
      shape[(key["name"] ?? key["value"]) as string] = member["optional"] ? ["any"] : kinds;
    }
    return shape;
  }
  if (node.type === "TSIntersectionType") {
    const parts = (node["types"] as Node[]).map((each) => shapeOf(each, names));
    return parts.includes(null) ? null : Object.assign({}, ...parts);
  }
  if (node.type !== "TSTypeReference") return null;
  const [of, keys] = given(node);
  const whole = of && shapeOf(of, names);
  switch (referred(node)) {
    case "Readonly":
      return whole ?? null;
    case "Pick":
    case "Omit": {
      const listed = keys && literals(keys);
      if (!whole || !listed) return null;
      const picks = referred(node) === "Pick";
      return Object.fromEntries(
        Object.entries(whole).filter(([name]) => listed.includes(name) === picks),
      );
    }
    default: {
      const found = find(referred(node) ?? "", names);
      return found && shapeOf(found.node, found.names);
    }
  }
}

function literals(node: Node): string[] | null {
  if (node.type === "TSLiteralType") return [(node["literal"] as Node)["value"] as string];
  if (node.type !== "TSUnionType") return null;
  const parts = (node["types"] as Node[]).map((each) => literals(each));
  return parts.includes(null) ? null : parts.flatMap((part) => part ?? []);
}

function kindsOf(node: Node, names: Names): Kind[] {
  const primitive = PRIMITIVES[node.type];
  if (primitive) return [primitive];
  if (node.type === "TSUnionType")
    return (node["types"] as Node[]).flatMap((each) => kindsOf(each, names));
  if (node.type === "TSTypeOperator") return kindsOf(node["typeAnnotation"] as Node, names);
  if (node.type === "TSLiteralType") {
    const { value } = node["literal"] as Node;
    return value === null ? ["null"] : [typeof value as Kind];
  }
  if (node.type !== "TSTypeReference") return ["any"];
  const name = referred(node) ?? "";
  const found = NAMED[name] ? null : find(name, names);
  return NAMED[name] ? [NAMED[name]] : found ? kindsOf(found.node, found.names) : ["any"];
}
