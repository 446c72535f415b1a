import { useEffect, useState } from "react";
import type { SmsView } from "../../wire.ts";
import { MONEY_BANNER_MS } from "../banners.ts";
import { useWorld } from "../world/store.ts";

export type Money = {
  open: boolean;
  unread: number;
  /** Just arrived, and shown over whatever is open. */
  banner: SmsView | null;
  setOpen: (open: boolean) => void;
};

type Seen = { personId: number; open: boolean; seenId: number; shownId: number };

/** Messages of the operators on this phone: all are read when the phone is taken in hand. */
export function useMoney(personId: number): Money {
  const received = useWorld().sms.filter(
    (one) => one.personId === personId && one.kind === "received",
  );
  const newest = received.at(-1)?.id ?? 0;
  const fresh: Seen = { personId, open: false, seenId: newest, shownId: newest };
  const [kept, setKept] = useState(fresh);
  const state = kept.personId === personId ? kept : fresh;
  if (state !== kept) setKept(state);
  if (state.open && state.seenId < newest) {
    setKept({ ...state, seenId: newest, shownId: newest });
  }
  const banner = received.find((one) => one.id > state.shownId && one.id > state.seenId) ?? null;
  const bannerId = banner?.id ?? null;
  useEffect(() => {
    if (bannerId === null) return;
    const timer = setTimeout(
      () => setKept((before) => ({ ...before, shownId: Math.max(before.shownId, bannerId) })),
      MONEY_BANNER_MS,
    );
    return () => clearTimeout(timer);
  }, [bannerId]);
  return {
    open: state.open,
    unread: received.filter((one) => one.id > state.seenId).length,
    banner: state.open ? null : banner,
    setOpen: (open) => setKept({ ...state, open, seenId: newest, shownId: newest }),
  };
}
