import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Refusals, jobs, messages and audited deeds that stand in the same files. */
const NO_ALERT =
  /^((checkout|withdrawals|desk|report|account|request|seller|donations)\.|access\.(open|started|ended)$|refunds\.|payouts\.freeze$)/;

/** Every kind of alert the code writes. */
export function alertKindsInCode(): string[] {
  const root = fileURLToPath(new URL("../../../", import.meta.url));
  const folder = join(root, "apps/server/src");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(ts|sql)$/.test(name) && !name.includes(".test."))
    .map((name) => readFileSync(join(folder, name), "utf8"));
  const writers = files.filter((text) => /desk_alerts|raiseAlert|worry\(/.test(text));
  const kind = /(?:kind: |\| |SELECT |VALUES \(|: ")["']?([a-z]+\.[a-z]+(?:-[a-z]+)*)["']/g;
  const named = writers.flatMap((text) => [...text.matchAll(kind)].map(([, name]) => name ?? ""));
  return [...new Set(named)].filter((name) => !NO_ALERT.test(name));
}
