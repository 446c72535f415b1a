import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { CrashBoundary } from "./crash-boundary.tsx";

afterEach(cleanup);

function Broken(): never {
  throw new Error("a bug of ours");
}

// @shows B8.boundary, B8.une-erreur
test("a bug of ours is said, with a button that reloads the page", () => {
  const error = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const reload = vi.spyOn(location, "reload").mockImplementation(() => undefined);
  render(
    <CrashBoundary>
      <Broken />
    </CrashBoundary>,
  );
  expect(screen.getByRole("alert").textContent).toContain("Une erreur est survenue");
  fireEvent.click(screen.getByRole("button"));
  expect(reload).toHaveBeenCalledTimes(1);
  error.mockRestore();
  reload.mockRestore();
});
