import { keep, readKept } from "../lib/storage.ts";

export type Launch = {
  /** The signed string, unmodified: it is sent to the server as it is. */
  readonly initData: string;
  readonly version: string;
};

const KEY = "sesame.launch";

/**
 * What Telegram put in the page's fragment, remembered for the reloads of this web view.
 * Null outside Telegram: no init data, or an empty one (a reply-keyboard launch).
 */
export function readLaunch(): Launch | null {
  const params = new URLSearchParams(location.hash.slice(1));
  const initData = params.get("tgWebAppData");
  if (initData) {
    const launch: Launch = { initData, version: params.get("tgWebAppVersion") ?? "6.0" };
    // Without storage a reload starts outside Telegram.
    keep("session", KEY, launch);
    return launch;
  }
  return readKept("session", KEY) as Launch | null;
}

/** The person's Telegram id in init data, not verified: only a key of local storage. */
export function personIn(initData: string): string | null {
  try {
    const user = new URLSearchParams(initData).get("user") ?? "null";
    const id = (JSON.parse(user) as { id?: unknown } | null)?.id;
    return typeof id === "number" || typeof id === "string" ? `${id}` : null;
  } catch {
    return null;
  }
}

export function startParamIn(initData: string): string | null {
  return new URLSearchParams(initData).get("start_param");
}
