/** `https://t.me/$slug`, `https://t.me/invoice/slug`, `tg://invoice?slug=…`, or the slug itself. */
export function invoiceSlug(link: string): string | null {
  const path =
    /^(?:https?:\/\/)?(?:t\.me|telegram\.me|telegram\.dog)\/(?:\$|%24|invoice\/)([\w-]+)\/?$/i;
  const found =
    path.exec(link) ?? /^tg:\/\/invoice\?slug=([\w-]+)$/i.exec(link) ?? /^\$?([\w-]+)$/.exec(link);
  return found?.[1] ?? null;
}

export function invoiceLink(slug: string): string {
  return `https://t.me/$${slug}`;
}
