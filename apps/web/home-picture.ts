import { basename } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import react from "@vitejs/plugin-react";
import { assert } from "@sesame/kernel";
import { build, type CSSOptions, type Plugin } from "vite";
import type { ApplicationFiles } from "./src/app/picture/paint-picture.inline.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const RENDERER = "./src/app/picture/render-picture.tsx";
const PAINTER = "./src/app/picture/paint-picture.inline.ts";
const ROOT = '<div id="root">';
const STYLESHEET = /\s*<link rel="stylesheet"[^>]* href="\/([^"]+)">/g;
const MODULE =
  /\s*<(?:script type="module"|link rel="modulepreload")[^>]* (?:src|href)="([^"]+)">(?:<\/script>)?/g;

const filesByName = new Map<string, string>();

/** A class has its file's name in place of a hash: less of the buyer's first load. The picture's markup has the same names. */
export const NAMED_BY_FILE: CSSOptions = {
  modules: {
    generateScopedName(name, file) {
      const [ofFile = ""] = basename(file).split(".");
      const first = filesByName.get(ofFile) ?? file;
      assert(first === file, `${first} and ${file} have the same name`);
      filesByName.set(ofFile, file);
      return `${name}_${ofFile}`;
    },
  },
};

/**
 * Home as it is painted before the application comes (decision 0028): in the sellers' page, its
 * markup, the script that fills it, and the styles it needs, so that nothing is waited for. The
 * application's own files are asked for by that script, after the seller's start.
 */
export function homePicture(): Plugin {
  return {
    name: "sesame-home-picture",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      async handler(html, { bundle }) {
        const sheets = [...html.matchAll(STYLESHEET)].map(([, file = ""]) => file);
        const css = sheets.map((file) => {
          const sheet = bundle?.[file];
          assert(sheet?.type === "asset", "each of the page's styles is built");
          return String(sheet.source);
        });
        const [entry, ...imports] = [...html.matchAll(MODULE)].map(([, name = ""]) => name);
        assert(css.length > 0, "the sellers' page has styles");
        assert(entry && html.includes(ROOT), "the sellers' page has a script and a root");
        const files = { entry, imports, styles: sheets.map((file) => `/${file}`) };
        const painter = await bundlePainter(await renderPicture(), files);
        return html
          .replaceAll(STYLESHEET, "")
          .replace("</head>", () => `  <style>${css.join("")}</style>\n  </head>`)
          .replaceAll(MODULE, "")
          .replace(ROOT, () => `<div id="picture"></div>\n    ${ROOT}`)
          .replace("</body>", () => `  <script>${painter}</script>\n  </body>`);
      },
    },
  };
}

/** Of a build beside that of the pages. */
const ASIDE = { configFile: false, root: here("./"), publicDir: false, logLevel: "warn" } as const;

type Renderer = { renderPicture(): string };

async function renderPicture(): Promise<string> {
  const outDir = here("./dist/picture/");
  await build({
    ...ASIDE,
    plugins: [react()],
    css: NAMED_BY_FILE,
    ssr: { noExternal: true },
    build: { ssr: here(RENDERER), outDir, emptyOutDir: true },
  });
  const built = (await import(pathToFileURL(`${outDir}render-picture.js`).href)) as Renderer;
  return built.renderPicture();
}

async function bundlePainter(picture: string, files: ApplicationFiles): Promise<string> {
  const built = await build({
    ...ASIDE,
    define: { PICTURE: JSON.stringify(picture), FILES: JSON.stringify(files) },
    build: {
      write: false,
      modulePreload: false,
      rolldownOptions: { input: here(PAINTER), output: { format: "iife" } },
    },
  });
  assert("output" in built, "the picture's script is built once");
  const [{ code }] = built.output;
  assert(!code.includes("</script"), "the picture's script ends where it ends");
  return code;
}
