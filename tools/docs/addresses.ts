/** Every screen's address, as the routers of the pages and of the server name them; no file's. */
export function addressesOf(read: (path: string) => string): string[] {
  const routes = ["routes.tsx", "payment-routes.tsx", "desk-routes.tsx"]
    .map((file) => read(`apps/web/src/app/${file}`))
    .join("\n");
  const pages = read("apps/server/src/pages/pages.ts");
  return [
    ...routes.matchAll(/path="([^"]+)"/g),
    ...routes.matchAll(/^ {2}\["(\/[^"]+)", /gm),
    ...pages.matchAll(/"(\/(?:[A-Za-z][^".]*)?)"/g),
  ].map(([, address = ""]) => address);
}
