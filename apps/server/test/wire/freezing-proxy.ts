import { once } from "node:events";
import {
  type AddressInfo,
  connect,
  createServer,
  type NetConnectOpts,
  type Socket,
} from "node:net";

/** Both ends of a connection. */
type Pair = readonly [near: Socket, far: Socket];

export type FreezingProxy = Awaited<ReturnType<typeof startFreezingProxy>>;

/**
 * A proxy between a server and its database that can turn silent like a lost route. `databaseUrl`
 * may name a Unix socket, as the tests' own database does.
 */
export async function startFreezingProxy(databaseUrl: string) {
  const pairs = new Set<Pair>();
  const frozen = new Set<Pair>();
  let target = placeOf(databaseUrl);
  let holdsNew = false;
  const hold = (pair: Pair) => {
    frozen.add(pair);
    for (const socket of pair) socket.unpipe().pause();
  };
  const cut = (pair: Pair) => {
    pairs.delete(pair);
    for (const socket of pair) socket.destroy();
  };
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const pair = [near, connect({ ...target, allowHalfOpen: true })] as const;
    pairs.add(pair);
    // The database does not see either that the server gave up a frozen connection.
    const end = () => frozen.has(pair) || cut(pair);
    for (const socket of pair) socket.on("error", end).on("close", end);
    near.pipe(pair[1]).pipe(near);
    if (holdsNew) hold(pair);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  url.searchParams.delete("host");
  const freeze = () => pairs.forEach(hold);
  return {
    /** The database's address through the proxy. */
    url: url.href,
    /** Open connections are held for ever: no byte, no FIN, no RST. New ones pass. */
    freeze,
    /** New ones are accepted and held too, until `thaw`. */
    freezeAll() {
      holdsNew = true;
      freeze();
    },
    /** New ones pass again; frozen ones stay frozen. */
    thaw() {
      holdsNew = false;
    },
    /** From now on new connections reach another database; open ones are cut. */
    retarget(other: string) {
      target = placeOf(other);
      pairs.forEach(cut);
    },
    async close() {
      pairs.forEach(cut);
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
