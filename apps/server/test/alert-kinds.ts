import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Refusals, jobs and messages that stand in the same files. */
const NO_ALERT =
  /^((checkout|withdrawals|desk|report|account|request|seller)\.|access\.(open|started)$|refunds\.)/;

/** Every kind of alert the code and the migrations write. */
export function alertKindsInCode(): string[] {
  const root = fileURLToPath(new URL("../../../", import.meta.url));
  const files = ["apps/server/src", "database/migrations"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(ts|sql)$/.test(name) && !name.includes(".test."))
      .map((name) => readFileSync(join(root, folder, name), "utf8")),
  );
  const writers = files.filter((text) => /desk_alerts|raiseAlert|worry\(/.test(text));
  const kind = /(?:kind: |\| |SELECT |VALUES \(|: ")["']?([a-z]+\.[a-z]+(?:-[a-z]+)*)["']/g;
  const named = writers.flatMap((text) => [...text.matchAll(kind)].map(([, name]) => name ?? ""));
  return [...new Set(named)].filter((name) => !NO_ALERT.test(name));
}
