import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const pages = fileURLToPath(new URL("./src/pages/", import.meta.url));

/** The front page and Moneroo's hosted page: two entries, so that paying loads no phone. */
export default defineConfig({
  root: pages,
  plugins: [react({ compiler: true })],
  build: {
    outDir: fileURLToPath(new URL("./dist/", import.meta.url)),
    emptyOutDir: true,
    rolldownOptions: { input: { index: `${pages}index.html`, checkout: `${pages}checkout.html` } },
  },
});
