/** Paths of a repository, and what stands there. */
type Files = Record<string, string>;

/** Where a table is written: its owner first, then each place. */
type Writing = { readonly table: string; readonly owner: string; readonly at: string };

/** A table by its name, after a word that writes; or what stands where the name should. */
const WRITING =
  /\b(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM|MERGE\s+INTO|TRUNCATE(?:\s+TABLE)?)\s+(?:ONLY\s+)?(?:"?public"?\.)?"?(\w+|%|\$\{[^}]*\})/gi;
/** The same by the builder of statements. */
const BUILT = /\b(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*"(\w+)/g;
/** A row of what a statement over several tables is given: it writes for who wrote the row. */
const GIVEN = /\btable: "(\w+)"/g;
const FROM_ROW = "${sql.table(table)}";

const TEST = /\.test\.tsx?$|\.test-[a-z]+\.ts$|\/(test|testing)\//;
const PRODUCTION =
  /^(?:apps\/server\/src|packages\/\w+\/src)\/.*\.(?:ts|sql)$|^database\/triggers\.sql$/;

/** A feature; a folder of the platform; a package. */
function ownerOf(path: string): string {
  const [, feature] = /^apps\/server\/src\/features\/([^/]+)/.exec(path) ?? [];
  if (feature !== undefined) return feature;
  const [, folder] = /^apps\/server\/src\/(?:platform\/)?([^/]+)/.exec(path) ?? [];
  return folder ?? path.split("/").slice(0, 2).join("/");
}

export const tablesOf = (sql: string): string[] =>
  [...sql.matchAll(/^CREATE TABLE (\w+)/gm)].map(([, name = ""]) => name);

/** Who writes which table, in statements of TypeScript, of SQL and of bodies of PL/pgSQL. */
export function writingsIn(files: Files, tables: readonly string[]): Writing[] {
  const known = new Set(tables);
  return Object.entries(files).flatMap(([path, text]) => {
    if (!PRODUCTION.test(path) || TEST.test(path)) return [];
    const said = path.endsWith(".sql") ? text.replaceAll(/--.*/g, "") : text;
    return [WRITING, BUILT, GIVEN].flatMap((pattern) =>
      [...said.matchAll(pattern)].flatMap(({ 1: table = "", index }) => {
        const isDynamic = /^[%$]/.test(table) && table !== FROM_ROW;
        if (!isDynamic && !known.has(table)) return [];
        const line = said.slice(0, index).split("\n").length;
        return [{ table, owner: ownerOf(path), at: `${path}:${line}` }];
      }),
    );
  });
}

/** The one that writes each table; what is wrong with the others, in words a person can act on. */
export function findOwners(files: Files, tables: readonly string[]) {
  const writings = writingsIn(files, tables);
  const owners = new Map<string, string>();
  const wrong: string[] = [];
  for (const { table, at } of writings) {
    if (!tables.includes(table)) wrong.push(`${at} does not name the table it writes: ${table}`);
  }
  for (const table of tables) {
    const places = writings.filter((writing) => writing.table === table);
    const [owner, ...others] = new Set(places.map((place) => place.owner));
    if (owner === undefined) wrong.push(`${table} is written by nobody`);
    else if (others.length === 0) owners.set(table, owner);
    else {
      const who = places.map((place) => `${place.owner} (${place.at})`).join(", ");
      wrong.push(`${table} has more than one writer: ${who}`);
    }
  }
  return { owners, wrong };
}
