import { type PointerEvent, type RefObject, useRef } from "react";

const FAR_ENOUGH_PX = 90;

/** Pulls a sheet down with the finger; far enough, it closes; else it springs back. */
export function useDragToClose(sheet: RefObject<HTMLElement | null>, close: () => void) {
  const start = useRef<number | null>(null);
  const move = (offset: number) => {
    if (sheet.current) sheet.current.style.translate = offset > 0 ? `0 ${offset}px` : "";
  };
  const offsetOf = (event: PointerEvent) => event.clientY - (start.current ?? event.clientY);
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      start.current = event.clientY;
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      if (start.current !== null) move(offsetOf(event));
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      if (start.current === null) return;
      const far = offsetOf(event) > FAR_ENOUGH_PX;
      start.current = null;
      move(0);
      if (far) close();
    },
    onPointerCancel() {
      start.current = null;
      move(0);
    },
  };
}
