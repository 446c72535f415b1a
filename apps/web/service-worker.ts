import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin, Rolldown } from "vite";

const source = (path: string) =>
  readFileSync(fileURLToPath(new URL(`./src/${path}`, import.meta.url)), "utf8");

/** The tabs and what home is made of: there offline from the first opening. */
const SOON = [
  "features/catalogue/products-list.tsx",
  "features/groups/group-list.tsx",
  "features/identity/settings.tsx",
  "features/catalogue/product-card.tsx",
  "features/withdrawals/withdraw.tsx",
  "features/reports/transactions.tsx",
  "features/reports/statistics.tsx",
  "features/reports/home-later.tsx",
  "telegram/seller-bridge.ts",
  "app/payment-routes.tsx",
];

type Chunk = Rolldown.OutputChunk;

/** The sellers' service worker: its files, its addresses, and a version that changes with them. */
export function serviceWorker(): Plugin {
  return {
    name: "sesame-service-worker",
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((each) => each.type === "chunk");
      const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
      const soon = new Set<string>();
      const walk = (chunk: Chunk | undefined): void => {
        if (!chunk || soon.has(`/${chunk.fileName}`)) return;
        soon.add(`/${chunk.fileName}`);
        for (const css of chunk.viteMetadata?.importedCss ?? []) soon.add(`/${css}`);
        for (const name of chunk.imports) walk(byFile.get(name));
      };
      for (const path of SOON) {
        const chunk = chunks.find(({ facadeModuleId: id }) => id?.endsWith(`/src/${path}`));
        if (!chunk) throw new Error(`no chunk of its own: ${path}`);
        walk(chunk);
      }
      const worker = source("worker/service-worker.js")
        .replace("__SOON__", JSON.stringify([...soon]))
        .replace("__SHELL_PATHS__", JSON.stringify(shellPaths()));
      const files = createHash("sha256").update(worker);
      for (const name of Object.keys(bundle).sort()) files.update(name);
      const version = files.digest("hex").slice(0, 12);
      this.emitFile({
        type: "asset",
        fileName: "service-worker.js",
        source: worker.replace("__VERSION__", version),
      });
    },
  };
}

/** The first words of the addresses the sellers' router knows, in small letters. */
function shellPaths(): string[] {
  const routes = source("app/routes.tsx") + source("app/payment-routes.tsx");
  const found = [...routes.matchAll(/(?:path="|\[")\/([A-Za-z]*)/g)].map(([, word]) => word ?? "");
  const words = new Set(found.map((word) => word.toLowerCase()));
  // A payment's status is the buyers' page too, and is asked of the server alone.
  return [...words].filter((word) => !word.includes("status")).sort();
}
