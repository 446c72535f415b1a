import { readFileSync } from "node:fs";
import { join } from "node:path";
import { AUTHORIZATION } from "../../../apps/server/test/authorization.table.ts";
import { WALKED } from "../../../e2e/walk-routes.ts";
import { type Module, readRepository } from "../../architecture/modules.ts";
import { ROOT } from "../../launch/build.ts";
import { addressesOf } from "../addresses.ts";
import { type Entry, readCatalogue, readItems } from "./catalogue.ts";
import type { Item } from "./extract.ts";
import { type Literal, literalsOf } from "./literals.ts";
import { type Tags, tagsOf } from "./tags.ts";

/** Everything the catalogue is held against. */
export type House = {
  /** What the two documents say: `items.txt`. */
  readonly items: readonly Item[];
  readonly entries: readonly Entry[];
  readonly modules: ReadonlyMap<string, Pick<Module, "text" | "imports">>;
  /** Of production sources. */
  readonly literals: readonly Literal[];
  readonly tags: Tags;
  /** The router's, as the routes of the pages and of the server write them. */
  readonly addresses: readonly string[];
  /** Routes of the specification that the walk opens. */
  readonly walked: readonly string[];
  /** `GET /api/users/:id`. */
  readonly calls: readonly string[];
};

const HERE = "tools/docs/specification";
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

export function readHouse(): House {
  const modules = readRepository(ROOT);
  const tests = modules.filter(({ path }) => /\.(?:test|spec)\.tsx?$/.test(path));
  const tags = tests.map(({ path, text }) => tagsOf(path, text));
  const entries = ["seller-app", "money"].flatMap((name) =>
    readCatalogue(read(`${HERE}/${name}.txt`)),
  );
  const styles = entries.flatMap(({ lives }) => (lives?.endsWith(".css") ? [lives] : []));
  return {
    items: readItems(read(`${HERE}/items.txt`)),
    entries,
    modules: new Map<string, Pick<Module, "text" | "imports">>([
      ...modules.map((module) => [module.path, module] as const),
      ...styles.map((path) => [path, { text: read(path), imports: [] as string[] }] as const),
    ]),
    literals: modules
      .filter(({ path }) => isProduction(path))
      .flatMap(({ path, text }) => literalsOf(path, text)),
    tags: {
      tags: tags.flatMap((each) => each.tags),
      problems: tags.flatMap((each) => each.problems),
    },
    addresses: addressesOf(read),
    walked: WALKED.map(({ route }) => route),
    calls: Object.keys(AUTHORIZATION),
  };
}

/** What people meet: neither tests, nor the gallery, nor the emulated world. */
function isProduction(path: string): boolean {
  return (
    /^(?:apps\/(?:server|web)\/src|packages\/[a-z]+\/src)\//.test(path) &&
    !/\.(?:test|test-[a-z]+)\.tsx?$|\/(?:testing|fixtures|gallery)\//.test(path)
  );
}
