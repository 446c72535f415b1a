import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../src/", import.meta.url));

/** The server's code but for `alerts/`, by its path. */
export const CODE: ReadonlyMap<string, string> = new Map(
  readdirSync(ROOT, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(ts|sql)$/.test(name) && !/\.test\.|^alerts\//.test(name))
    .map((name) => [name, readFileSync(join(ROOT, name), "utf8")]),
);

/** The kinds that SQL raises and ends, where no compiler looks; what is no literal is told as it stands. */
export function kindsInSql(text: string): string[] {
  const calls = text.matchAll(/\b(?:raise|resolve)_alerts\(\s*(?:array\[)?('[^']*'|[^\s,)]*)/g);
  return [...calls].map(([, kind = ""]) => kind.replaceAll("'", ""));
}

/** Who writes the alerts past their owner. */
export function writersOfAlerts(files: ReadonlyMap<string, string> = CODE): string[] {
  const write = /\b(INSERT INTO|UPDATE|DELETE FROM|TRUNCATE)\s+desk_alerts\b/;
  return [...files].flatMap(([path, text]) => (write.test(text) ? [path] : []));
}
