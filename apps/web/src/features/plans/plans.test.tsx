import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { keys } from "../../lib/resources.ts";
import { examplePlans } from "../../testing/payment-examples.ts";
import { renderScreen } from "../../testing/screen.tsx";
import { answerCalls } from "../../testing/web-server.ts";
import { exampleChannel, exampleUser } from "../../testing/wire-examples.ts";
import { Plans } from "./plans.tsx";

const NOW = Date.parse("2026-11-20T10:00:00.000Z");

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function show(user: Parameters<typeof exampleUser>[0], channels = 1): void {
  vi.useFakeTimers({ now: NOW, toFake: ["Date"] });
  history.replaceState(null, "", "/Plans");
  const me = exampleUser(user);
  const purchase = {
    id: "9",
    prix: 5_000,
    dateCreation: "2026-10-25T10:00:00.000Z",
    dateRenouvellement: "2026-11-24T10:00:00.000Z",
    typeAbonnement: "payant",
    userId: "7",
    estRenouvellement: false,
    moyen: "FedaPay",
    rembourse: false,
  };
  answerCalls(({ path }) => {
    if (path === "/api/plans") return { status: 200, body: examplePlans() };
    if (path.endsWith("/abonnement")) {
      const body = {
        success: true,
        now: new Date(NOW).toISOString(),
        grace_until: null,
        abonnements: [purchase],
      };
      return { status: 200, body };
    }
    return { status: 200, body: { success: true, user: me } };
  });
  const list = Array.from({ length: channels }, (_, at) => exampleChannel({ id: String(at) }));
  renderScreen(<Plans />, {
    known: [
      [keys.user, me],
      [keys.channels, list],
    ],
  });
}

test("compares the plans line by line as the server does, and premium leads to its payment", async () => {
  show({});
  expect(await screen.findByRole("rowheader", { name: "API développeur" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Renouveler" })).toBeNull();
  fireEvent.click(screen.getAllByRole("button", { name: "Choisir Premium" })[0] as HTMLElement);
  expect(location.pathname).toBe("/PaymentSelector");
});

test("a premium plan shows its end and its purchases, and warns of what its end changes", async () => {
  show(
    { type_plan: "payant", premium_state: "running", premium_until: "2026-11-24T10:00:00.000Z" },
    5,
  );
  expect(await screen.findByText("Votre plan Premium se termine dans 4 jours.")).toBeTruthy();
  expect(screen.getByText(/^2 groupes hors quota/)).toBeTruthy();
  expect(await screen.findByText("Vos achats")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Renouveler" }));
  expect(location.pathname).toBe("/PaymentSelector");
});

test("in its days of grace it counts those that are left", async () => {
  show({ type_plan: "payant", premium_state: "grace", premium_until: "2026-11-17T10:00:00.000Z" });
  expect(
    await screen.findByText(/Il vous reste 4 jours de grâce, jusqu'au 24 novembre 2026/),
  ).toBeTruthy();
});
