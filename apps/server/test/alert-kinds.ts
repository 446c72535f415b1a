import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as routes from "../../../packages/contract/src/routes/all.ts";

/** Jobs, events and messages that stand in the same files. */
const NO_ALERT =
  /^((checkout|withdrawals|desk|report|account|request|seller|donations)\.|access\.(open|started|ended)$|refunds\.)/;

/** Refusals have kinds too. */
const REFUSALS = new Set(
  Object.values(routes).flatMap((each) =>
    "refusals" in each ? Object.keys(each.refusals as object) : [],
  ),
);

/** Every kind of alert the code writes. */
export function alertKindsInCode(): string[] {
  const root = fileURLToPath(new URL("../../../", import.meta.url));
  const folder = join(root, "apps/server/src");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(ts|sql)$/.test(name) && !name.includes(".test."))
    .map((name) => readFileSync(join(folder, name), "utf8"));
  const writers = files.filter((text) => /desk_alerts|raiseAlert|worry\(/.test(text));
  const kind =
    /(?:kind: |\| |SELECT |VALUES \(|(?<!action|name|topic|type): ")["']?([a-z]+\.[a-z]+(?:-[a-z]+)*)["']/g;
  const named = writers.flatMap((text) => [...text.matchAll(kind)].map(([, name]) => name ?? ""));
  return [...new Set(named)].filter((name) => !NO_ALERT.test(name) && !REFUSALS.has(name));
}
