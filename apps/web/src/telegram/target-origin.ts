const TELEGRAM_WEB = "https://web.telegram.org";

/**
 * Who frames us, among those the server allows (`<meta name="sesame-web-origins">`). Messages are
 * posted to that origin and no other.
 */
export function frameOrigin(): string {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="sesame-web-origins"]');
  const allowed = (meta?.content ?? TELEGRAM_WEB).split(" ").filter((origin) => origin !== "");
  const parent = parentOrigin();
  return allowed.find((origin) => origin === parent) ?? allowed[0] ?? TELEGRAM_WEB;
}

function parentOrigin(): string | null {
  const ancestor = window.location.ancestorOrigins?.[0];
  if (ancestor) return ancestor;
  return URL.canParse(document.referrer) ? new URL(document.referrer).origin : null;
}
