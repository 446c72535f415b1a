import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { build, defineConfig, type Plugin } from "vite";

const pages = fileURLToPath(new URL("./src/pages/", import.meta.url));
const outDir = fileURLToPath(new URL("./dist/", import.meta.url));

/** A script that other pages load by its address, of one piece: FedaPay's widget. */
const widgetScript: Plugin = {
  name: "widget-script",
  async closeBundle() {
    const entry = `${pages}fedapay/checkout.ts`;
    const fileName = () => "fedapay/checkout.js";
    const lib = { entry, name: "widget", formats: ["iife" as const], fileName };
    const output = { outDir, emptyOutDir: false, lib };
    await build({ configFile: false, logLevel: "warn", build: output });
  },
};

/** The front page and the pages of payment: an entry each, so that paying loads no phone. */
export default defineConfig({
  root: pages,
  plugins: [react({ compiler: true }), widgetScript],
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
