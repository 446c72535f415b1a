import { fireEvent, render, screen } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import { Dialog, Sheet } from "./modal.tsx";
import { closeTopOverlay } from "./toast.tsx";

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

  test.each([
    ["pulled far, however slowly, closes", 900, 195, 1],
    ["flicked closes", 60, 140, 1],
    ["pulled a little and slowly springs back, having followed the finger", 400, 150, 0],
  ])("%s", (_what, ms, y, closings) => {
    const closed = open();
    drag([
      [0, 100],
      [ms, y],
    ]);
    expect(closed).toHaveBeenCalledTimes(closings);
    if (closings > 0) return;
    expect(screen.getByRole("dialog", { hidden: true }).style.translate).toBe("");
  });
});

const OPEN = {
  "a sheet": (onClose: () => void) => (
    <Sheet title="Trier" onClose={onClose}>
      <p>Par date</p>
    </Sheet>
  ),
  "a question": (onClose: () => void) => (
    <Dialog title="Supprimer ?" onClose={onClose} actions={[{ label: "Oui", run: () => {} }]} />
  ),
  "a question whose answer is on its way": (onClose: () => void) => (
    <Dialog
      title="Supprimer ?"
      onClose={onClose}
      actions={[{ label: "Oui", busy: true, run: () => {} }]}
    />
  ),
  "good news": (onClose: () => void) => (
    <Dialog title="Publié" picture={<i />} onClose={onClose} actions={[]} />
  ),
} as const;

const WAYS_OUT = {
  back: () => expect(closeTopOverlay()).toBe(true),
  Escape: () => {
    const dialog = screen.getByRole<HTMLDialogElement>("dialog");
    // As browsers do: cancelled first, closed unless that was prevented.
    if (fireEvent(dialog, new Event("cancel", { cancelable: true }))) dialog.close();
  },
  "a tap outside": () => fireEvent.click(screen.getByRole("dialog")),
} as const;

const ways = Object.keys(WAYS_OUT) as (keyof typeof WAYS_OUT)[];
const states = Object.keys(OPEN) as (keyof typeof OPEN)[];

test.each(states.flatMap((state) => ways.map((way) => [state, way] as const)))(
  "%s is closed by %s",
  (state, way) => {
    const closed = vi.fn();
    render(OPEN[state](closed));
    WAYS_OUT[way]();
    expect(closed).toHaveBeenCalledTimes(1);
  },
);

test.each(ways)("what is being sent and must be answered is not closed by %s", (way) => {
  const closed = vi.fn();
  render(<Dialog title="Envoi" locked onClose={closed} actions={[]} />);
  WAYS_OUT[way]();
  expect(closed).not.toHaveBeenCalled();
});
