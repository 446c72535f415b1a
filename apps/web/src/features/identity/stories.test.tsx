import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { usePremiumGate } from "../../lib/premium-gate.tsx";
import { keys, renderScreen } from "../../testing/screen.tsx";
import { answerCalls } from "../../testing/web-server.ts";
import { exampleUser } from "../../testing/wire-examples.ts";
import { Stories } from "./stories.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));

function show(element: React.JSX.Element, plan: boolean) {
  const user = exampleUser({ plan, deja: false });
  const log = answerCalls(() => ({ status: 200, body: { success: true, user } }));
  renderScreen(element, { known: [[keys.user, user]] });
  return log;
}

test("four cards follow one another, and the last one leads to the plans", async () => {
  const log = show(<Stories />, false);
  for (const title of ["Relier le bot", "Créer un produit", "Partager le lien"]) {
    expect(screen.getByRole("heading", { level: 2, name: title })).toBeTruthy();
    press("Continuer");
  }
  expect(screen.getByRole("heading", { level: 2, name: "Être payé" })).toBeTruthy();
  press("Commencer");
  expect(location.pathname).toBe("/Plans");
  await waitFor(() =>
    expect(log.find(({ method }) => method === "PUT")?.body).toEqual({ deja: true }),
  );
});

test("who skips them goes home when a plan is chosen", () => {
  show(<Stories />, true);
  press("Passer");
  expect(location.pathname).toBe("/IndexEspace");
});

test("what premium adds opens the gate on the free plan, and the way to the plans", () => {
  const passed = vi.fn();
  function Tile() {
    const { pass, gate } = usePremiumGate("developer-api");
    return (
      <>
        <button type="button" onClick={() => pass(passed)}>
          API
        </button>
        {gate}
      </>
    );
  }
  show(<Tile />, true);
  press("API");
  expect(screen.getByRole("dialog", { name: "Fonctionnalité Premium" })).toBeTruthy();
  expect(passed).not.toHaveBeenCalled();
  press("Voir les plans");
  expect(location.pathname).toBe("/Plans");
});
