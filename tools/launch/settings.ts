import { resolve } from "node:path";

/** How this start was asked for, by the environment alone. */
export type Settings = {
  port: number;
  host: string;
  /** The host by which this machine reaches what listens on `host`. */
  near: string;
  publicUrl: string;
  /** No bot token: the outside world is started beside the server, and everything points to it. */
  demo: boolean;
  /** Of all processes on a machine, the one that serves owns the port. */
  serves: boolean;
  databaseUrl: string | null;
  dataDir: string;
};

/** The app, the front page of the world, and one origin for each of its three phones. */
export const DEMO_PORTS = 5;

export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const production = env.NODE_ENV === "production";
  const demo = !env.SELLER_BOT_TOKEN;
  if (production && demo) {
    throw new Error(
      "SELLER_BOT_TOKEN: missing. Without it the demo would start, and NODE_ENV=production " +
        "refuses the demo.",
    );
  }
  const port = Number(env.PORT || "3000");
  const last = demo ? port + DEMO_PORTS - 1 : port;
  if (!Number.isInteger(port) || port < 1 || last > 65_535) {
    throw new Error(`PORT: "${env.PORT}" is not a usable port`);
  }
  const host = env.HOST || (production ? "0.0.0.0" : "127.0.0.1");
  const publicUrl = env.PUBLIC_URL || `http://localhost:${port}`;
  if (!URL.canParse(publicUrl)) throw new Error(`PUBLIC_URL: "${publicUrl}" is not an address`);
  return {
    port,
    host,
    near: nearOf(host),
    publicUrl,
    demo,
    serves: !env.ROLES || env.ROLES.split(",").some((role) => role.trim() === "http"),
    databaseUrl: env.DATABASE_URL || null,
    dataDir: resolve(env.DATA_DIR || "./data"),
  };
}

function nearOf(host: string): string {
  if (host === "0.0.0.0" || host === "::" || host === "localhost") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}
