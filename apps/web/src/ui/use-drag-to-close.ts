import { type PointerEvent, useState } from "react";

const FAR_ENOUGH_PX = 90;

/** Pulls a sheet down with the finger; far enough, it closes; else it springs back. */
export function useDragToClose(close: () => void) {
  const [start, setStart] = useState<number | null>(null);
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
        setStart(event.clientY);
      },
      onPointerMove(event: PointerEvent<HTMLElement>) {
        if (start !== null) setOffset(Math.max(0, event.clientY - start));
      },
      onPointerUp() {
        if (start !== null && offset > FAR_ENOUGH_PX) close();
        end();
      },
      onPointerCancel: end,
    },
  };
}
