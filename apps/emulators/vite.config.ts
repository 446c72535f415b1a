import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { build, defineConfig, type Plugin } from "vite";

const pages = fileURLToPath(new URL("./src/pages/", import.meta.url));
const outDir = fileURLToPath(new URL("./dist/", import.meta.url));

/** Scripts that other pages load by their address, of one piece: the widgets of providers. */
const SCRIPTS = { "fedapay/checkout.js": "fedapay/checkout.ts", "kkiapay/k.js": "kkiapay/k.ts" };

const widgetScripts: Plugin = {
  name: "widget-scripts",
  async closeBundle() {
    for (const [fileName, source] of Object.entries(SCRIPTS)) {
      const lib = { entry: pages + source, name: "widget", formats: ["iife" as const] };
      await build({
        configFile: false,
        logLevel: "warn",
        build: { outDir, emptyOutDir: false, lib: { ...lib, fileName: () => fileName } },
      });
    }
  },
};

/** The front page and the pages of payment: an entry each, so that paying loads no phone. */
export default defineConfig({
  root: pages,
  plugins: [react({ compiler: true }), widgetScripts],
  build: {
    outDir,
    emptyOutDir: true,
    rolldownOptions: {
      input: {
        index: `${pages}index.html`,
        checkout: `${pages}checkout.html`,
        kkiapay: `${pages}kkiapay.html`,
      },
    },
  },
});
