import type { Config } from "../config.ts";
import type { MessageButton } from "./message.ts";

/** A button that opens a page of the app: `path` begins with a slash. */
export type AppButton = (text: string, path: string) => MessageButton;

/** Telegram opens mini apps over https only; the demo's phones open them anywhere. */
export function createAppButton(config: Pick<Config, "publicUrl" | "demo">): AppButton {
  const inside = config.demo || config.publicUrl.startsWith("https://");
  return (text, path) => {
    const url = config.publicUrl + path;
    return inside ? { text, webApp: url } : { text, url };
  };
}
