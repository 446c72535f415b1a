/** How a process runs. `demo`: every outside service is emulated. `production`: real money. */
export type RunMode = "demo" | "development" | "production";

/** The mode, and the fact that decided it, for the log line at start. */
export type DecidedMode = { readonly mode: RunMode; readonly because: string };

export type ModeFacts = {
  readonly nodeEnv: string | undefined;
  readonly publicUrl: string | undefined;
  readonly host: string | undefined;
  /**
   * Every outside service is emulated: the launcher found no bot token, or started this server so.
   */
  readonly emulated: boolean;
};

const OPEN_WORDS: ReadonlySet<string> = new Set(["", "development", "test"]);

/**
 * Decides the mode before anything is opened. Only a process that is certainly limited to this
 * machine is a demo or a development process; every other one is production, also with a misspelt
 * `NODE_ENV`: a mistake then requires strong secrets and never weakens a check. Source:
 * docs/decisions/0045-what-is-not-plainly-safe-is-production.md
 */
export function decideMode({ nodeEnv, publicUrl, host, emulated }: ModeFacts): DecidedMode {
  if (!OPEN_WORDS.has(nodeEnv ?? "")) return production(`NODE_ENV=${JSON.stringify(nodeEnv)}`);
  if (publicUrl && !isLoopbackUrl(publicUrl)) {
    return production("PUBLIC_URL is not on loopback");
  }
  if (host && !isLoopbackHost(host)) return production("HOST is not on loopback");
  if (emulated) return { mode: "demo", because: "no bot token, and everything is on loopback" };
  return { mode: "development", because: "a bot token, PUBLIC_URL and HOST on loopback" };
}

function production(because: string): DecidedMode {
  return { mode: "production", because };
}

/** Whether the URL is of this machine. False for text that is no URL. */
export function isLoopbackUrl(url: string): boolean {
  return URL.canParse(url) && isLoopbackHost(new URL(url).hostname);
}

/** A host name or address as written in a URL or in `HOST`: `localhost`, 127.0.0.0/8, `::1`. */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, "");
  return name === "localhost" || name === "::1" || /^127(\.\d{1,3}){3}$/.test(name);
}
