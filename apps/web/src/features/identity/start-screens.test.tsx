import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { SplashError, Splash } from "./splash.tsx";
import { TelegramRequired } from "./telegram-required.tsx";

afterEach(cleanup);

test("the splash says that the application loads", () => {
  render(<Splash />);
  expect(screen.getByRole("status").textContent).toBe("Chargement de l'application...");
});

test("the splash that fails says why, and reloads the page", () => {
  const reload = vi.spyOn(location, "reload").mockImplementation(() => undefined);
  render(<SplashError message="La base ne répond pas." />);
  const words = screen.getByRole("alert").textContent;
  expect(words).toContain("Une erreur s'est produite lors du chargement. Veuillez réessayer.");
  expect(words).toContain("La base ne répond pas.");
  fireEvent.click(screen.getByRole("button", { name: "Réessayer" }));
  expect(reload).toHaveBeenCalledTimes(1);
  reload.mockRestore();
});

test("the blocking screen has its three states", () => {
  const onEnter = vi.fn();
  const { rerender } = render(<TelegramRequired state="checking" onEnter={onEnter} />);
  expect(screen.getByRole("status").textContent).toContain("Vérification...");
  rerender(<TelegramRequired state="entering" onEnter={onEnter} />);
  expect(screen.getByRole("status").textContent).toContain("Redirection en cours...");
  fireEvent.click(screen.getByRole("button", { name: "Continuer vers l'application" }));
  expect(onEnter).toHaveBeenCalledTimes(1);
  rerender(<TelegramRequired state="outside" onEnter={onEnter} />);
  screen.getByRole("heading", { name: "Ouvrez Sésame dans Telegram" });
  screen.getByRole("button", { name: "Rafraîchir la page" });
  fireEvent.click(screen.getByRole("button", { name: "Effacer les données locales" }));
  screen.getByText("Effacer les données locales ?");
});
