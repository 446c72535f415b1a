import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * The gallery of the design system, built apart: no page of the product holds a byte of it. The
 * demo's emulators serve it, and production has no emulators.
 */
export default defineConfig({
  root: here("./"),
  base: "/galerie/",
  publicDir: false,
  plugins: [react({ compiler: true, exclude: [/\/node_modules\//] })],
  build: {
    outDir: here("./dist/gallery/"),
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: here("./gallery.html") },
  },
});
