import { type PointerEvent, useState } from "react";

const FAR_ENOUGH_PX = 90;
/** A flick: less far, but fast. */
const FLICK_PX = 24;
const FLICK_PX_PER_MS = 0.5;

/** Pulls a sheet down with the finger; far or fast enough, it closes; else it springs back. */
export function useDragToClose(close: () => void) {
  const [start, setStart] = useState<{ y: number; at: number } | null>(null);
  const [offset, setOffset] = useState(0);
  const end = () => {
    setStart(null);
    setOffset(0);
  };
  return {
    /** Pixels below its place. */
    offset,
    grip: {
      onPointerDown(event: PointerEvent<HTMLElement>) {
        event.currentTarget.setPointerCapture(event.pointerId);
        setStart({ y: event.clientY, at: event.timeStamp });
      },
      onPointerMove(event: PointerEvent<HTMLElement>) {
        if (start !== null) setOffset(Math.max(0, event.clientY - start.y));
      },
      onPointerUp({ timeStamp }: PointerEvent<HTMLElement>) {
        const flick =
          start !== null &&
          offset > FLICK_PX &&
          offset / Math.max(1, timeStamp - start.at) > FLICK_PX_PER_MS;
        if (flick || offset > FAR_ENOUGH_PX) close();
        end();
      },
      onPointerCancel: end,
    },
  };
}
