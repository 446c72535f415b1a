import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { parseSync, Visitor } from "oxc-parser";

/** One source file as the rules read it. Paths are relative to the repository, with slashes. */
export type Module = {
  path: string;
  text: string;
  /** As written: `./a.ts`, `@sesame/kernel`, `node:fs`. */
  specifiers: string[];
  /** Paths of the modules of this repository that it imports, type-only imports included. */
  imports: string[];
  /** The same without type-only imports: what a cycle at run time is made of. */
  runtimeImports: string[];
  /** Text of string and template literals and of JSX. `isSummary`: in the `summary` of a route. */
  literals: { line: number; text: string; isSummary: boolean }[];
};

const SOURCES = "{apps,packages,database,e2e,bench,tools}/**/*.{ts,tsx,mjs}";
const SKIPPED = new Set(["node_modules", "dist", "data", ".cache"]);

/** A test, or a helper of tests. */
export const isTest = (path: string): boolean =>
  /\.test\.tsx?$|\.test-[a-z]+\.ts$|\/(test|testing)\//.test(path);

/** Path → text of every file of code of the repository. */
export function readTexts(root: string): Record<string, string> {
  const paths = globSync(SOURCES, { cwd: root, exclude: (path) => SKIPPED.has(basename(path)) });
  return Object.fromEntries(
    paths.map((path) => [path.replaceAll("\\", "/"), readFileSync(join(root, path), "utf8")]),
  );
}

export const readRepository = (root: string): Module[] => readModules(readTexts(root));

/** Makes modules from paths and texts: of the repository, or of a test. */
export function readModules(files: Record<string, string>): Module[] {
  const known = new Set(Object.keys(files));
  return Object.entries(files).map(([path, text]) => readModule(path, text, known));
}

function readModule(path: string, text: string, known: ReadonlySet<string>): Module {
  const parsed = parseSync(path, text);
  const first = parsed.errors[0];
  if (first !== undefined) throw new Error(`${path} does not parse: ${first.message}`);
  const specifiers: string[] = [];
  const runtime = new Set<string>();
  const literals: { at: number; text: string }[] = [];
  const summaries: { start: number; end: number }[] = [];
  const add = (specifier: string, isType: boolean): void => {
    specifiers.push(specifier);
    if (!isType) runtime.add(specifier);
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
    Literal: (node) => {
      if (typeof node.value === "string") literals.push({ at: node.start, text: node.value });
    },
    TemplateElement: (node) => {
      literals.push({ at: node.start, text: node.value.cooked ?? "" });
    },
    JSXText: (node) => void literals.push({ at: node.start, text: node.value }),
  }).visit(parsed.program);
  const toPaths = (names: Iterable<string>): string[] =>
    [...names].flatMap((specifier) => resolveImport(path, specifier, known) ?? []);
  return {
    path,
    text,
    specifiers,
    imports: toPaths(specifiers),
    runtimeImports: toPaths(runtime),
    literals: literals.map(({ at, text: said }) => ({
      line: text.slice(0, at).split("\n").length,
      text: said,
      isSummary: summaries.some(({ start, end }) => start <= at && at < end),
    })),
  };
}

function resolveImport(from: string, specifier: string, known: ReadonlySet<string>): string | null {
  if (specifier.startsWith(".")) {
    const target = relative("/", resolve("/", dirname(from), specifier)).replaceAll("\\", "/");
    return known.has(target) ? target : null;
  }
  const [scope, name, ...rest] = specifier.split("/");
  if (scope !== "@sesame" || name === undefined) return null;
  const base = `${["server", "web", "emulators"].includes(name) ? "apps" : "packages"}/${name}/src`;
  const candidates = ["index.ts", "port.ts"].map((file) => [base, ...rest, file].join("/"));
  // An import of a package is an edge even when its file is not found.
  return candidates.find((candidate) => known.has(candidate)) ?? `${base}/index.ts`;
}
