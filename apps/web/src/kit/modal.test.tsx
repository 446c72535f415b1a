import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Sheet } from "./modal.tsx";

afterEach(cleanup);

/** A finger on the handle, at these times (ms) and heights (px). */
function drag(steps: readonly (readonly [at: number, y: number])[]): void {
  const handle = screen.getByRole("heading", { name: "Trier", hidden: true });
  handle.parentElement!.setPointerCapture = () => {};
  const say = (type: string, [at, y]: readonly [number, number]) => {
    const event = new PointerEvent(type, { bubbles: true, clientY: y, pointerId: 1 });
    Object.defineProperty(event, "timeStamp", { value: 1_000 + at });
    fireEvent(handle, event);
  };
  const [first = [0, 0], ...others] = steps;
  say("pointerdown", first);
  for (const step of others) say("pointermove", step);
  say("pointerup", steps.at(-1) ?? first);
}

describe("a sheet under the finger", () => {
  function open(): () => void {
    const closed = vi.fn();
    render(
      <Sheet title="Trier" onClose={closed}>
        <p>Par date</p>
      </Sheet>,
    );
    return closed;
  }

  test("closes when pulled far, however slowly", () => {
    const closed = open();
    drag([
      [0, 100],
      [900, 195],
    ]);
    expect(closed).toHaveBeenCalled();
  });

  test("closes when flicked", () => {
    const closed = open();
    drag([
      [0, 100],
      [60, 140],
    ]);
    expect(closed).toHaveBeenCalled();
  });

  test("springs back when pulled a little and slowly, and follows the finger meanwhile", () => {
    const closed = open();
    drag([
      [0, 100],
      [400, 150],
    ]);
    expect(closed).not.toHaveBeenCalled();
    expect(screen.getByRole("dialog", { hidden: true }).style.translate).toBe("");
  });
});
