import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin, type Rolldown } from "vite";
import { homePicture, NAMED_BY_FILE } from "./home-picture.ts";
import { serviceWorker } from "./service-worker.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * The compiler's memory of each element weighs more than these few elements cost to make again:
 * 4.4 kB of the buyers' 75, and 4 kB of the sellers' 95, which are counted (QUALITY §2). Long lists
 * and the other screens keep it.
 */
const FIRST_LOADS =
  /\/src\/(buyer|app|kit|features\/(checkout|identity|memberships)|features\/reports\/(home[\w-]*|transaction-row))[/.]/;

/** B §9: nothing is logged on people's phones. A failure is no log: `console.error` stays. */
const SILENCED = ["log", "info", "debug", "warn"].map((level) => `console.${level}`);

type Graph = Rolldown.ChunkingContext;

const SELLERS = here("./src/main.tsx");
const BUYERS = here("./src/buyer/entry-client.tsx");

/** Modules that `from` needs before it runs; with what it may load later too, if `later`. */
function needs(graph: Graph, from: string, later: boolean, found = new Set<string>()): Set<string> {
  if (found.has(from)) return found;
  found.add(from);
  const { importedIds = [], dynamicallyImportedIds = [] } = graph.getModuleInfo(from) ?? {};
  for (const id of [...importedIds, ...(later ? dynamicallyImportedIds : [])]) {
    needs(graph, id, later, found);
  }
  return found;
}

/**
 * The sellers' first load is one file beside what buyers share with it. Without this, each set of
 * screens that shares a module has a file of its own: ten more files, 2.8 kB more.
 */
function nameFirst() {
  let first: ReadonlySet<string> | null = null;
  return (id: string, graph: Graph) => {
    first ??= needs(graph, SELLERS, false).difference(needs(graph, BUYERS, true));
    return id !== SELLERS && first.has(id) ? "first" : null;
  };
}

const CHARSET = '<meta charset="utf-8" />';

/**
 * Telegram's colours are known only in the page's fragment: this script sets them before the first
 * paint. It is inlined as it stands, so the server can allow it by its hash.
 */
function paintBeforeReact(): Plugin {
  return {
    name: "sesame-before-paint",
    transformIndexHtml: {
      order: "pre",
      // After the charset, which must stand in the first kilobyte.
      handler: (html) =>
        html.replace(CHARSET, () => {
          const read = (name: string) => readFileSync(here(`./src/telegram/${name}.js`), "utf8");
          const script = read("before-paint");
          return `${CHARSET}\n    <script>${script}</script>\n    <script>${read("ask-start")}</script>`;
        }),
    },
  };
}

const TEXT = /\.(js|css|svg)$/;

/** Each text beside itself as phones take it, `.br` and `.gz`: a server's start compresses nothing. */
function precompress(): Plugin {
  return {
    name: "sesame-precompress",
    writeBundle({ dir }, bundle) {
      for (const name of Object.keys(bundle)) {
        if (!name.startsWith("assets/") || !TEXT.test(name)) continue;
        const file = join(dir ?? "", name);
        const plain = readFileSync(file);
        const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
        writeFileSync(`${file}.br`, brotliCompressSync(plain, { params }));
        writeFileSync(`${file}.gz`, gzipSync(plain, { level: 9 }));
      }
    },
  };
}

/**
 * `vite build`: what phones load, the sellers' page, the buyers' entry and the page of a provider's
 * widget side by side.
 * `vite build --ssr …`: the buyers' page for the server.
 */
export default defineConfig(({ isSsrBuild }) => ({
  root: here("./"),
  publicDir: false,
  // The server loads one built file by path; React comes inside it, in its production form.
  ssr: { noExternal: true },
  plugins: [
    react({ compiler: true, exclude: [/\/node_modules\//, FIRST_LOADS] }),
    paintBeforeReact(),
    ...(isSsrBuild ? [] : [homePicture(), serviceWorker(), precompress()]),
  ],
  css: NAMED_BY_FILE,
  build: {
    outDir: here(isSsrBuild ? "./dist/server/" : "./dist/client/"),
    emptyOutDir: true,
    manifest: !isSsrBuild,
    // Every browser that runs Telegram's web views today preloads modules by itself.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      // A table of refusals that no screen says is left out.
      output: isSsrBuild
        ? {}
        : {
            codeSplitting: {
              includeDependenciesRecursively: false,
              groups: [{ name: nameFirst() }],
            },
          },
      treeshake: { manualPureFunctions: [...SILENCED, "refusal", "refusals", "conflict"] },
      input: isSsrBuild
        ? { "entry-server": here("./src/buyer/entry-server.tsx") }
        : {
            seller: here("./index.html"),
            buyer: here("./src/buyer/entry-client.tsx"),
            widget: here("./src/widget/entry.ts"),
          },
    },
  },
}));
