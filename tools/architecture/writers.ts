import { isTest, lineOf } from "./modules.ts";

/** Path → text of the files of a repository. */
type Files = Record<string, string>;

/** One statement that writes a table: the owner of its file, and the place. */
type Writing = { readonly table: string; readonly owner: string; readonly at: string };

/** A word that writes, then the table's name, or the expression in place of the name. */
const WRITING =
  /\b(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM|MERGE\s+INTO|TRUNCATE(?:\s+TABLE)?)\s+(?:ONLY\s+)?(?:"?public"?\.)?"?(\w+|%|\$\{[^}]*\})/gi;
/** The same with Kysely's query builder. */
const BUILT = /\b(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*"(\w+)/g;
/** A row of a list that names tables for a statement in another file: its file is the writer. */
const GIVEN = /\btable: "(\w+)"/g;
const FROM_ROW = "${sql.table(table)}";

const PRODUCTION =
  /^(?:apps\/server\/src|packages\/\w+\/src)\/.*\.(?:ts|sql)$|^database\/triggers\.sql$/;

/** The owner of a file: a feature, a folder of the platform, or a package. */
function ownerOf(path: string): string {
  const [, folder] = /^apps\/server\/src\/(?:features\/)?([^/]+)/.exec(path) ?? [];
  return folder ?? path.split("/").slice(0, 2).join("/");
}

export const tablesOf = (sql: string): string[] =>
  [...sql.matchAll(/^CREATE TABLE (\w+)/gm)].map(([, name = ""]) => name);

/** All statements that write a table: in TypeScript, in SQL and in bodies of PL/pgSQL. */
function writingsIn(files: Files, tables: readonly string[]): Writing[] {
  const known = new Set(tables);
  return Object.entries(files).flatMap(([path, text]) => {
    if (!PRODUCTION.test(path) || isTest(path)) return [];
    const said = path.endsWith(".sql") ? text.replaceAll(/--.*/g, "") : text;
    return [WRITING, BUILT, GIVEN].flatMap((pattern) =>
      [...said.matchAll(pattern)].flatMap(({ 1: table = "", index }) => {
        const isDynamic = /^[%$]/.test(table) && table !== FROM_ROW;
        if (!isDynamic && !known.has(table)) return [];
        return [{ table, owner: ownerOf(path), at: `${path}:${lineOf(said, index)}` }];
      }),
    );
  });
}

/** The only writer of each table, and a sentence for each table or statement that is wrong. */
export function findOwners(files: Files, tables: readonly string[]) {
  const writings = writingsIn(files, tables);
  const owners = new Map<string, string>();
  const wrong = writings
    .filter(({ table }) => !tables.includes(table))
    .map(({ table, at }) => `${at} does not name the table it writes: ${table}`);
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
