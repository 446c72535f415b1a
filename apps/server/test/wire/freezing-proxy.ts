import { once } from "node:events";
import { connect, createServer, type NetConnectOpts, type Socket } from "node:net";
import { assert } from "@sesame/kernel";

type Pair = { readonly near: Socket; readonly far: Socket; frozen: boolean };

export type FreezingProxy = Awaited<ReturnType<typeof startFreezingProxy>>;

/**
 * A proxy between a server and its database that can turn silent like a lost route. `databaseUrl`
 * may name a Unix socket, as the tests' own database does.
 */
export async function startFreezingProxy(databaseUrl: string) {
  const pairs = new Set<Pair>();
  let target = placeOf(databaseUrl);
  let holdsNew = false;
  const hold = (pair: Pair) => {
    pair.frozen = true;
    for (const socket of [pair.near, pair.far]) socket.unpipe().pause();
  };
  const cutAll = () => {
    for (const { near, far } of pairs) {
      near.destroy();
      far.destroy();
    }
  };
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ ...target, allowHalfOpen: true });
    const pair: Pair = { near, far, frozen: false };
    pairs.add(pair);
    const cut = () => {
      // The database does not see either that the server gave up a frozen connection.
      if (pair.frozen) return;
      pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) socket.on("error", cut).on("close", cut);
    near.pipe(far);
    far.pipe(near);
    if (holdsNew) hold(pair);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert(typeof address === "object" && address, "the proxy listens");
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String(address.port);
  url.searchParams.delete("host");
  return {
    /** The database's address through the proxy. */
    url: url.href,
    /** Connections open now, without frozen ones. */
    count: () => [...pairs].filter(({ frozen }) => !frozen).length,
    /** Open connections are held for ever: no byte, no FIN, no RST. New ones pass. */
    freeze() {
      for (const pair of pairs) hold(pair);
    },
    /** New ones are accepted and held too, until `thaw`. */
    freezeNew() {
      holdsNew = true;
    },
    /** New ones pass again; frozen ones stay frozen. */
    thaw() {
      holdsNew = false;
    },
    /** From now on new connections reach another database; open ones are cut. */
    retarget(other: string) {
      target = placeOf(other);
      cutAll();
    },
    async close() {
      cutAll();
      server.close();
    },
  };
}

function placeOf(databaseUrl: string): NetConnectOpts {
  const url = new URL(databaseUrl);
  const folder = url.searchParams.get("host");
  const port = Number(url.port || "5432");
  if (folder?.startsWith("/")) return { path: `${folder}/.s.PGSQL.${port}` };
  return { host: url.hostname, port };
}
