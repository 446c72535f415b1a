import { globSync, readFileSync } from "node:fs";
import { basename, join, posix } from "node:path";
import { parseSync, Visitor } from "oxc-parser";

type Where = "name" | "comment" | "title" | "SQL" | "literal";
/** A name or a sentence, and where it begins. A literal is text of a string, a template or JSX. */
type Said = readonly [where: Where, text: string, at: number];

/** One source file as the rules read it. Paths are relative to the repository, with slashes. */
export type Module = {
  path: string;
  text: string;
  /** Paths in this repository, type-only imports included; other names as written: `node:fs`. */
  imports: ReadonlySet<string>;
  /** The same without type-only imports: what a cycle at run time is made of. */
  runtimeImports: ReadonlySet<string>;
  /** Without the literals in the `summary` of a route. */
  said: readonly Said[];
};

const SOURCES = "{apps,packages,database,e2e,bench,tools}/**/*.{ts,tsx,mjs,sql}";
const SKIPPED = new Set(["node_modules", "dist", "data", ".cache"]);
const TITLES = /^(?:test|it|describe|bench)\b/;
const SQL_TAG = /^(?:sql|many|maybe|one|finds|run|rowsOf)\b/;

/** A test, or a helper of tests. */
export const isTest = (path: string): boolean =>
  /\.test\.tsx?$|\.test-[a-z]+\.ts$|\/(test|testing)\//.test(path);

export function readRepository(root: string): Module[] {
  const paths = globSync(SOURCES, { cwd: root, exclude: (path) => SKIPPED.has(basename(path)) });
  return paths.map((path) =>
    readModule(path.replaceAll("\\", "/"), readFileSync(join(root, path), "utf8")),
  );
}

export function readModule(path: string, text: string): Module {
  const imports = new Set<string>();
  const runtimeImports = new Set<string>();
  const module = { path, text, imports, runtimeImports };
  if (path.endsWith(".sql")) return { ...module, said: inSql(text, 0) };
  const { errors, program, comments } = parseSync(path, text);
  if (errors[0] !== undefined) throw new Error(`${path} does not parse: ${errors[0].message}`);
  const said: Said[] = comments.map(({ value, start }) => ["comment", value, start + 2]);
  const summaries: { start: number; end: number }[] = [];
  const add = (specifier: string, isType: boolean): void => {
    const to = resolveImport(path, specifier);
    imports.add(to);
    if (!isType) runtimeImports.add(to);
  };
  new Visitor({
    ImportDeclaration: (node) => add(node.source.value, node.importKind === "type"),
    ExportAllDeclaration: (node) => add(node.source.value, node.exportKind === "type"),
    ExportNamedDeclaration: (node) => {
      if (node.source) add(node.source.value, node.exportKind === "type");
    },
    ImportExpression: (node) => {
      if (node.source.type === "Literal") add(String(node.source.value), false);
    },
    Property: ({ key, value }) => {
      if (key.type === "Identifier" && key.name === "summary") summaries.push(value);
    },
    Literal: ({ value, start }) => {
      if (typeof value === "string") said.push(["literal", value, start]);
    },
    TemplateElement: ({ value, start }) => void said.push(["literal", value.cooked ?? "", start]),
    JSXText: ({ value, start }) => void said.push(["literal", value, start]),
    Identifier: ({ name, start }) => void said.push(["name", name, start]),
    JSXIdentifier: ({ name, start }) => void said.push(["name", name, start]),
    CallExpression: ({ callee, arguments: [title] }) => {
      if (!TITLES.test(text.slice(callee.start, callee.end)) || title === undefined) return;
      if (title.type === "Literal" || title.type === "TemplateLiteral") {
        said.push(["title", text.slice(title.start, title.end), title.start]);
      }
    },
    TaggedTemplateExpression: ({ tag, quasi }) => {
      if (!SQL_TAG.test(text.slice(tag.start, tag.end))) return;
      for (const { start, value } of quasi.quasis) said.push(...inSql(value.raw, start));
    },
  }).visit(program);
  const isSummary = ([where, , at]: Said) =>
    where === "literal" && summaries.some(({ start, end }) => start <= at && at < end);
  return { ...module, said: said.filter((one) => !isSummary(one)) };
}

export const lineOf = (text: string, at: number): number => text.slice(0, at).split("\n").length;

/** Names in a statement. Values between quotes are data, and `--` begins a comment. */
const inSql = (text: string, from: number): Said[] =>
  [...text.matchAll(/'(?:[^']|'')*'|--.*|\w+/g)]
    .filter(([part]) => !part.startsWith("'"))
    .map(({ 0: part, index }) => [part.startsWith("--") ? "comment" : "SQL", part, from + index]);

function resolveImport(from: string, specifier: string): string {
  if (specifier.startsWith(".")) return posix.join(posix.dirname(from), specifier);
  const [scope, name = "", ...rest] = specifier.split("/");
  if (scope !== "@sesame") return specifier;
  const folder = ["server", "web", "emulators"].includes(name) ? "apps" : "packages";
  return [folder, name, "src", ...rest, "index.ts"].join("/");
}
