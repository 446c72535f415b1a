/** The product's page is server-rendered: a plain navigation, keeping Telegram's fragment. */
export function openProduct(reference: string): void {
  const path = `/?${new URLSearchParams({ tgWebAppStartParam: reference })}`;
  // The same address with a fragment would only be scrolled to.
  if (location.pathname + location.search === path) location.reload();
  else location.assign(path + location.hash);
}
