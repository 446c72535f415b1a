import { cleanup, fireEvent, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { renderScreen } from "../testing/screen.tsx";
import { exampleUser } from "../testing/wire-examples.ts";
import { usePremiumGate } from "./premium-gate.tsx";

function Door({ onPass }: { onPass(): void }) {
  const gate = usePremiumGate("developer-api");
  return (
    <>
      <button type="button" onClick={() => gate.pass(onPass)}>
        Ouvrir
      </button>
      {gate.gate}
    </>
  );
}

test("the gate stands before what only premium has, and leads to the plans", () => {
  const onPass = vi.fn();
  renderScreen(<Door onPass={onPass} />, { known: { user: exampleUser() } });
  fireEvent.click(screen.getByRole("button", { name: "Ouvrir" }));
  expect(onPass).not.toHaveBeenCalled();
  screen.getByRole("dialog", { name: "Fonctionnalité Premium" });
  fireEvent.click(screen.getByRole("button", { name: /plans/ }));
  expect(location.pathname).toBe("/Plans");
  cleanup();
  const premium = exampleUser({ type_plan: "payant", capabilities: ["developer-api"] });
  renderScreen(<Door onPass={onPass} />, { known: { user: premium } });
  fireEvent.click(screen.getByRole("button", { name: "Ouvrir" }));
  expect(onPass).toHaveBeenCalledTimes(1);
});
