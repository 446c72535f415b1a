import { createServer, type Server } from "node:http";

export type Peer = { readonly url: string; close(): Promise<void> };

/**
 * The same product as most apps would serve it: an empty page, styles and script fetched at once,
 * the content drawn by the browser, a JPEG. Everything else comes from the app itself.
 */
export async function startPeer(appUrl: string): Promise<Peer> {
  const server = createServer((request, response) => {
    void (async () => {
      const answer = await fetch(new URL(request.url ?? "/", appUrl), {
        headers: { accept: "text/html", "accept-encoding": "identity" },
      });
      const type = answer.headers.get("content-type") ?? "";
      const body = Buffer.from(await answer.arrayBuffer());
      response.writeHead(answer.status, { "content-type": type });
      response.end(type.startsWith("text/html") ? asSinglePage(body.toString()) : body);
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: addressOf(server), close: () => close(server) };
}

function asSinglePage(html: string): string {
  const entries = /data-entry="([^"]*)"/.exec(html)?.[1]?.split(" ") ?? [];
  const scripts = entries.map((entry) => `<script type="module" src="${entry}"></script>`);
  return html
    .replace(
      /<div id="root">[\s\S]*?<\/div>\s*(?=<script type="application\/json")/,
      '<div id="root"></div>',
    )
    .replace(/<script>[\s\S]*?<\/script>/, scripts.slice(0, 1).join(""))
    .replace(/"avif":"([^"]*)\.avif"/g, '"avif":"$1.jpg"');
}

function addressOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the peer has no port");
  return `http://127.0.0.1:${address.port}`;
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
