import { useEffect, useState } from "react";
import { BANNER_MS } from "../banners.ts";
import type { ChatRow } from "./chat-rows.ts";

export type Banner = { key: string; row: ChatRow };

const newest = (row: ChatRow) => row.incoming.at(-1) ?? 0;

function seenNow(rows: ChatRow[]): Record<string, number> {
  return Object.fromEntries(rows.map((row) => [row.key, newest(row)]));
}

/**
 * What was read on this phone. Everything is read when the phone is taken in hand; `open` is the
 * conversation under the eyes, or null. What arrives elsewhere is counted, and shown as a banner.
 */
export function useUnread(rows: ChatRow[], open: string | null) {
  const [seen, setSeen] = useState(() => seenNow(rows));
  const [shown, setShown] = useState(() => seenNow(rows));
  const [banner, setBanner] = useState<Banner | null>(null);

  const openRow = rows.find((row) => row.key === open);
  if (openRow !== undefined && newest(openRow) !== (seen[openRow.key] ?? 0)) {
    setSeen({ ...seen, [openRow.key]: newest(openRow) });
  }
  const arrived = rows.find((row) => newest(row) > (shown[row.key] ?? 0));
  if (arrived !== undefined) {
    setShown(seenNow(rows));
    if (arrived.key !== open) {
      setBanner({ key: `${arrived.key}/${newest(arrived)}`, row: arrived });
    }
  }
  if (banner !== null && banner.row.key === open) setBanner(null);

  useEffect(() => {
    if (banner === null) return;
    const timer = setTimeout(() => setBanner(null), BANNER_MS);
    return () => clearTimeout(timer);
  }, [banner]);

  const unread = (row: ChatRow) => row.incoming.filter((id) => id > (seen[row.key] ?? 0)).length;
  return { unread, banner, dismiss: () => setBanner(null) };
}
