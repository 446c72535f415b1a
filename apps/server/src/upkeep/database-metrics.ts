import { Gauge, type Registry } from "prom-client";
import type { Connections } from "../postgres/connections.ts";

export type WatchedDatabase = {
  readonly connections: Connections;
  readonly listener: { readonly connected: boolean };
};

/** How this process fares with its database: read at each look, asked of nobody. */
export function measureDatabase(
  registry: Registry,
  { connections, listener }: WatchedDatabase,
): void {
  const connected = new Gauge({
    name: "sesame_db_pool_connections",
    help: "Connections of this process's pool, by what they do",
    labelNames: ["state"],
    registers: [registry],
    collect() {
      const { open, busy } = connections.count();
      connected.set({ state: "busy" }, busy);
      connected.set({ state: "idle" }, open - busy);
    },
  });
  const silent = new Gauge({
    name: "sesame_db_silent_seconds",
    help: "How long the database has answered nothing that this process asked",
    registers: [registry],
    collect() {
      silent.set(connections.silentMs() / 1_000);
    },
  });
  const listening = new Gauge({
    name: "sesame_listener_connected",
    help: "1 while this process hears the database's notifications",
    registers: [registry],
    collect() {
      listening.set(listener.connected ? 1 : 0);
    },
  });
}
