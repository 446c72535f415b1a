import { type Scheme, THEMES } from "../phone/theme.ts";

/** The phone's own colours in the launch parameters: the app must not flash another theme. */
export function themedUrl(url: string, scheme: Scheme): string {
  const at = url.indexOf("#");
  if (at < 0) return url;
  const params = new URLSearchParams(url.slice(at + 1));
  params.set("tgWebAppThemeParams", JSON.stringify(THEMES[scheme]));
  return `${url.slice(0, at)}#${params.toString()}`;
}
