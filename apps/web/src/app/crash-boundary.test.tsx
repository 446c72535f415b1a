import { fireEvent, render, screen } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { save } from "../features/identity/storage.ts";
import { reportInstance } from "../testing/screen.tsx";
import { exampleStart, exampleUser } from "../testing/wire-examples.ts";
import { CrashBoundary, ScreenBoundary } from "./crash-boundary.tsx";

function Bomb(): never {
  throw new Error("a screen of ours is broken");
}
function crash(): void {
  render(
    <CrashBoundary>
      <Bomb />
    </CrashBoundary>,
  );
}

// React reports what a boundary catches.
beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => undefined));

describe("an application that fails", () => {
  test("says so, with a reload, what the phone last knew and the support", () => {
    localStorage.setItem("telegramUserId", "5001");
    const user = exampleUser({ soldeDisponible: 12_500 });
    save("5001", exampleStart({ user }), "2026-11-20T10:00:00.000Z");
    reportInstance({ supportTelegram: "@sesame_aide" });
    crash();
    expect(screen.getByRole("alert").textContent).toContain("Une erreur est survenue");
    expect(screen.getByRole("button", { name: "Recharger" })).toBeTruthy();
    expect(screen.getByText(/^Vos données du 20 novembre 2026/)).toBeTruthy();
    expect(screen.getByText(/^12\s500\sFCFA$/)).toBeTruthy();
    const support = screen.getByRole("link", { name: "Écrire au support" });
    expect(support.getAttribute("href")).toBe("https://t.me/sesame_aide");
  });

  test("reloads the page when asked to", () => {
    const reload = vi.spyOn(location, "reload").mockImplementation(() => undefined);
    crash();
    fireEvent.click(screen.getByRole("button", { name: "Recharger" }));
    expect(reload).toHaveBeenCalledTimes(1);
  });

  test("shows nobody's data where the phone knows none", () => {
    crash();
    expect(screen.getByText("Une erreur est survenue")).toBeTruthy();
    expect(screen.queryByText(/^Vos données du/)).toBeNull();
  });
});

describe("a screen that fails", () => {
  test("leaves what stands around it", () => {
    render(
      <>
        <ScreenBoundary>
          <Bomb />
        </ScreenBoundary>
        <nav>Onglets</nav>
      </>,
    );
    expect(screen.getByText(/Les autres restent ouvertes/)).toBeTruthy();
    expect(screen.getByText("Onglets")).toBeTruthy();
  });

  test("without a network is one that is not on the phone yet", () => {
    vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    render(
      <ScreenBoundary>
        <Bomb />
      </ScreenBoundary>,
    );
    expect(screen.getByText("Cette page n'est pas encore sur votre téléphone")).toBeTruthy();
  });
});
