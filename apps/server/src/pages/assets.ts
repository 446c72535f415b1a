import { CALLS_A_MINUTE } from "@sesame/contract";
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { bestEncoding, type Encoding } from "../http/compress.ts";
import type { HttpServer } from "../http/server.ts";

const FILE = {
  config: { access: "public", rateLimit: { max: CALLS_A_MINUTE.file } },
  schema: { hide: true },
} as const;

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webp": "image/webp",
  ".avif": "image/avif",
  ".woff2": "font/woff2",
};
const TEXTS = new Set([".js", ".css", ".svg"]);

/** The same bytes in the encodings phones accept. */
export type Encoded = Readonly<Record<Encoding, Buffer>>;

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** Compresses once; `quality` 11 for what is served for long, less for what changes. */
export async function encode(plain: Buffer, quality = 11): Promise<Encoded> {
  const [br, gz] = await Promise.all([
    toBrotli(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
    toGzip(plain, { level: Math.min(9, quality) }),
  ]);
  return { br, gzip: gz, identity: plain };
}

/** Serves the built files from memory: their names carry a hash, so they never change. */
export async function registerAssets(http: HttpServer, folder: string): Promise<void> {
  const assets = new Map<string, { type: string; bodies: Encoded }>();
  const names = new Set(await readdir(folder));
  for (const name of names) {
    const type = TYPES[extname(name)];
    if (!type) continue;
    const bodies = await readAsset(join(folder, name), names.has(`${name}.br`));
    assets.set(name, { type, bodies });
  }
  http.get<{ Params: { name: string } }>("/assets/:name", FILE, (request, reply) => {
    const asset = assets.get(request.params.name);
    if (!asset) return reply.callNotFound();
    const encoding = bestEncoding(request.headers["accept-encoding"]);
    if (encoding !== "identity") reply.header("content-encoding", encoding);
    return reply
      .header("cache-control", "public, max-age=31536000, immutable")
      .header("vary", "accept-encoding")
      .type(asset.type)
      .send(asset.bodies[encoding]);
  });
}

/** As it was compressed when it was built; what is no text travels as it is. */
async function readAsset(file: string, isCompressed: boolean): Promise<Encoded> {
  const plain = await readFile(file);
  if (isCompressed) {
    const [br, gz] = await Promise.all([readFile(`${file}.br`), readFile(`${file}.gz`)]);
    return { br, gzip: gz, identity: plain };
  }
  return TEXTS.has(extname(file)) ? encode(plain) : { br: plain, gzip: plain, identity: plain };
}

/** Asked anew at each opening, so that a release is there at the next. */
export function registerWorker(http: HttpServer, worker: string | undefined): void {
  if (worker === undefined) return;
  const encoded = encode(Buffer.from(worker));
  http.get("/service-worker.js", FILE, async (request, reply) => {
    const encoding = bestEncoding(request.headers["accept-encoding"]);
    if (encoding !== "identity") reply.header("content-encoding", encoding);
    return reply
      .header("cache-control", "no-cache")
      .header("vary", "accept-encoding")
      .type("text/javascript; charset=utf-8")
      .send((await encoded)[encoding]);
  });
}
