import { type Clock, DAY_MS } from "@sesame/kernel";

/** So many days from now, as forms and addresses write it. */
export const dayIn = (clock: Clock, days: number): string =>
  new Date(clock.now().getTime() + days * DAY_MS).toISOString().slice(0, 10);

/** `2026-11-16` as it is read: 16/11/2026. */
export const inFrench = (day: string): string => day.split("-").reverse().join("/");
