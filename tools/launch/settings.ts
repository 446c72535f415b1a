import { resolve } from "node:path";
import { decideMode } from "@sesame/kernel";

/** How this start was asked for, by the environment alone. */
export type Settings = {
  port: number;
  host: string;
  /** The host by which this machine reaches what listens on `host`. */
  near: string;
  publicUrl: string;
  /** No bot token: the outside world is started beside the server, and everything points to it. */
  demo: boolean;
  /** Real money: the whole configuration is read before anything is opened. */
  production: boolean;
  /** Of all processes on a machine, the one that serves owns the port. */
  serves: boolean;
  databaseUrl: string | null;
  dataDir: string;
};

/** The app, the front page of the world, and one origin for each of its three phones. */
export const DEMO_PORTS = 5;

export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const { mode, because } = decideMode({
    nodeEnv: env.NODE_ENV,
    publicUrl: env.PUBLIC_URL,
    host: env.HOST,
    emulated: !env.SELLER_BOT_TOKEN,
  });
  if (mode === "production" && !env.SELLER_BOT_TOKEN) {
    throw new Error(
      "SELLER_BOT_TOKEN: missing. Without it the demo would start, and production refuses the " +
        `demo (${because}).`,
    );
  }
  const demo = mode === "demo";
  const port = Number(env.PORT || "3000");
  const last = demo ? port + DEMO_PORTS - 1 : port;
  if (!Number.isInteger(port) || port < 1 || last > 65_535) {
    throw new Error(`PORT: "${env.PORT}" is not a usable port`);
  }
  const host = env.HOST || (mode === "production" ? "0.0.0.0" : "127.0.0.1");
  const publicUrl = env.PUBLIC_URL || `http://localhost:${port}`;
  if (!URL.canParse(publicUrl)) throw new Error(`PUBLIC_URL: "${publicUrl}" is not an address`);
  return {
    port,
    host,
    near: nearOf(host),
    publicUrl,
    demo,
    production: mode === "production",
    serves: !env.ROLES || env.ROLES.split(",").some((role) => role.trim() === "http"),
    databaseUrl: env.DATABASE_URL || null,
    dataDir: resolve(env.DATA_DIR || "./data"),
  };
}

function nearOf(host: string): string {
  if (host === "0.0.0.0" || host === "::" || host === "localhost") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}
