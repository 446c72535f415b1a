import { fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { renderScreen } from "../../testing/screen.tsx";
import { answerCalls, ok } from "../../testing/web-server.ts";
import { Calendrier, dayAfterKey, plusMonths, weeksOf } from "./calendar.tsx";

beforeEach(() => {
  // A phone whose date is wrong, as many are.
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2031-01-01T12:00:00Z") });
});
const month = (mois: string) => ({
  success: true,
  mois,
  aujourdhui: "2026-11-25",
  next_day: mois < "2027-03" && mois !== "2026-11" ? "2027-03-04" : null,
  jours:
    mois === "2026-11"
      ? [{ jour: "2026-11-25", expirations: 2, renouvellements: 0, retraits: 1 }]
      : [],
});

const EVENTS = [
  {
    type: "expiration",
    id: "1",
    date: "2026-11-25T09:00:00.000Z",
    nomClient: "Zoé N'Guessan",
    produitNom: "VIP mensuel",
    idProduit: "3",
    passee: true,
  },
  {
    type: "retrait",
    id: "4",
    date: "2026-11-25T10:00:00.000Z",
    montant: 12_000,
    status: "pending",
    reference_transaction: "RT-000004",
    automatique: false,
  },
];

function answerCalendar() {
  return answerCalls(({ path }) => {
    const url = new URL(path, "http://app");
    const jour = url.searchParams.get("jour");
    const body = jour
      ? { success: true, jour, evenements: jour.endsWith("-25") ? EVENTS : [], autres: 0 }
      : month(url.searchParams.get("mois") ?? "2026-11");
    return ok(body);
  });
}

test("a day says how much of each kind falls on it, and below it who and what", async () => {
  answerCalendar();
  renderScreen(<Calendrier />);
  await screen.findByRole("button", { name: /25 novembre 2026, 2 expirations, 1 retrait$/ });
  await screen.findByText("Zoé N'Guessan");
  screen.getByText("Accès terminé");
  screen.getByText(/12\s000\sFCFA/);
  screen.getByText("En attente");
  fireEvent.click(screen.getByRole("button", { name: /24 novembre 2026, rien de prévu$/ }));
  screen.getByRole("button", { name: /^dimanche 1 novembre 2026, rien de prévu$/ });
  await screen.findByText("Rien ce jour-là.");
});

test("arrow keys go from day to day, over the end of the month too", async () => {
  const log = answerCalendar();
  renderScreen(<Calendrier />);
  const day = await screen.findByRole("button", { name: /^mercredi 25 novembre/ });
  day.focus();
  fireEvent.keyDown(day, { key: "ArrowDown" });
  await waitFor(() => expect(document.activeElement?.getAttribute("data-day")).toBe("2026-12-02"));
  await screen.findByText("Rien ce mois-ci");
  fireEvent.click(screen.getByRole("button", { name: "Aller au jeudi 4 mars 2027" }));
  await screen.findByRole("heading", { name: "Mars 2027" });
  await screen.findByRole("button", { name: "Voir mes produits" });
  expect(log.some(({ path }) => path === "/api/calendar?mois=2026-12")).toBe(true);
  fireEvent.click(screen.getByRole("button", { name: "Aujourd'hui" }));
  await screen.findByText("Zoé N'Guessan");
});

test("a failure can be tried again", async () => {
  answerCalls(() => ({ status: 400, body: { success: false, code: "x", message: "Non" } }));
  renderScreen(<Calendrier />);
  await screen.findByText(/Impossible de charger votre calendrier/);
  screen.getByRole("button", { name: "Réessayer" });
});

test("a month is weeks from Monday", () => {
  const weeks = weeksOf("2026-11");
  expect(weeks).toHaveLength(6);
  expect(weeks[0]).toEqual([null, null, null, null, null, null, "2026-11-01"]);
  expect(weeks.at(-1)?.[0]).toBe("2026-11-30");
  expect(weeksOf("2027-02")).toHaveLength(4);
  expect(plusMonths("2026-01-31", 1)).toBe("2026-02-28");
  expect(plusMonths("2026-01-31", -2)).toBe("2025-11-30");
  expect(dayAfterKey("End", "2026-11-25")).toBe("2026-11-29");
  expect(dayAfterKey("x", "2026-11-25")).toBeNull();
});
