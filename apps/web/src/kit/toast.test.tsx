import { act, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { ToastPlace, toast } from "./toast.tsx";

test("a toast is read for 3 s, the last one said alone", () => {
  vi.useFakeTimers();
  render(<ToastPlace />);
  act(() => toast("Le premier"));
  act(() => void vi.advanceTimersByTime(2_000));
  act(() => toast("Le second"));
  expect(screen.queryByText("Le premier")).toBeNull();
  act(() => void vi.advanceTimersByTime(2_999));
  expect(screen.getByText("Le second")).toBeTruthy();
  act(() => void vi.advanceTimersByTime(1));
  expect(screen.queryByText("Le second")).toBeNull();
});
