import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

const TEXT = /\.(js|css|svg)$/;

/** Each text beside itself as phones take it, `.br` and `.gz`: a server's start compresses nothing. */
export function precompress(): Plugin {
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
