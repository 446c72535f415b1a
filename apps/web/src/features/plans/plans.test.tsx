import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { examplePlans, exampleProvider } from "../../testing/payment-examples.ts";
import { renderScreen } from "../../testing/screen.tsx";
import { type Answer, answerCalls, ok, good } from "../../testing/web-server.ts";
import { exampleChannel, exampleUser } from "../../testing/wire-examples.ts";
import { Plans } from "./plans.tsx";

const NOW = Date.parse("2026-11-20T10:00:00.000Z");

type Shown = { readonly channels?: number; readonly saved?: Answer };

function show(user: Parameters<typeof exampleUser>[0], { channels = 1, saved }: Shown = {}) {
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
  // Bought before the first ended.
  const renewal = {
    ...purchase,
    id: "10",
    dateCreation: "2026-11-01T10:00:00.000Z",
    dateRenouvellement: "2026-12-24T10:00:00.000Z",
    estRenouvellement: true,
  };
  const log = answerCalls(({ method, path }) => {
    if (method === "PUT" && saved) return saved;
    if (path === "/api/plans") return ok(examplePlans());
    if (path.endsWith("/abonnement")) {
      const now = new Date(NOW).toISOString();
      return good({ now, grace_until: null, abonnements: [renewal, purchase] });
    }
    return good({ user: me });
  });
  const list = Array.from({ length: channels }, (_, at) => exampleChannel({ id: String(at) }));
  renderScreen(<Plans />, { known: { user: me, channels: list } });
  return log;
}

test("compares the plans line by line as the server does, and premium leads to its payment", async () => {
  show({});
  expect(await screen.findByRole("rowheader", { name: "API développeur" })).toBeTruthy();
  const cells = (row: HTMLElement) =>
    [...row.querySelectorAll("th, td")].map(({ textContent: text }) => text);
  expect(screen.getAllByRole("row").slice(1).map(cells)).toEqual(
    examplePlans().comparison.map(({ label, free, premium }) => [label, free, premium]),
  );
  // Each way to be paid that is open, and no other.
  expect(screen.getByText("Moneroo").closest("section")?.textContent).toContain("Orange Money");
  const first = () => document.querySelector("[data-shown]")?.getAttribute("data-shown");
  expect(first()).toBe("gratuit");
  fireEvent.click(screen.getByRole("radio", { name: "Premium" }));
  expect(first()).toBe("payant");
  expect(screen.queryByRole("link", { name: "Renouveler" })).toBeNull();
  screen.getByRole("heading", { name: "Moyens de paiement ouverts" });
  screen.getByText(exampleProvider().methods.join(", "));
  fireEvent.click(screen.getAllByRole("button", { name: "Choisir Premium" })[0] as HTMLElement);
  expect(location.pathname).toBe("/PaymentSelector");
});

test("a premium plan shows its end and its purchases, and warns of what its end changes", async () => {
  show(
    { type_plan: "payant", premium_state: "running", premium_until: "2026-11-24T10:00:00.000Z" },
    { channels: 5 },
  );
  expect(await screen.findByText("Votre plan Premium se termine dans 4 jours.")).toBeTruthy();
  expect(screen.getByText(/^2 groupes hors quota/)).toBeTruthy();
  expect(await screen.findByText("Vos achats")).toBeTruthy();
  screen.getByText("Du 24 novembre 2026 au 24 décembre 2026 · FedaPay");
  screen.getByText("Du 25 octobre 2026 au 24 novembre 2026 · FedaPay");
  expect(screen.queryByRole("button", { name: /gratuit/i })).toBeNull();
  fireEvent.click(screen.getByRole("link", { name: "Renouveler" }));
  expect(location.pathname).toBe("/PaymentSelector");
});

test("in its days of grace it counts those that are left", async () => {
  show({ type_plan: "payant", premium_state: "grace", premium_until: "2026-11-17T10:00:00.000Z" });
  await screen.findByText(/Il vous reste 4 jours de grâce, jusqu'au 24 novembre 2026/);
});

async function chooseFree(): Promise<void> {
  const choices = await screen.findAllByRole("button", { name: /gratuit/i });
  fireEvent.click(choices.at(-1) as HTMLElement);
}

async function tryFree(): Promise<void> {
  await chooseFree();
  fireEvent.click(await screen.findByRole("button", { name: "Tester ce plan" }));
}

test("the free plan is tried after a word, saved without any key, and leads home", async () => {
  const user = exampleUser({ plan: true });
  const log = show({ plan: false }, { saved: good({ user }) });
  await tryFree();
  await waitFor(() => expect(location.pathname).toBe("/IndexEspace"));
  const put = log.find(({ method }) => method === "PUT");
  expect(put?.body).toEqual({ plan: true, type_plan: "gratuit", deja: true });
});

test.each([
  ["Le compte est fermé.", "Erreur lors de la mise à jour: Le compte est fermé."],
  ["", "Erreur lors de la mise à jour: erreur inconnue"],
])("a plan that is not saved is said, with the reason or without (%j)", async (message, said) => {
  show({ plan: false }, { saved: { status: 422, body: { success: false, code: "x", message } } });
  await tryFree();
  // In the sheet, and as a word over the page.
  await waitFor(() => expect(screen.getAllByText(said)).toHaveLength(2));
});

test("without the user's id, who he is is asked again, and nothing is saved", async () => {
  const log = show({ id: "", plan: false });
  await screen.findByText(
    "Une erreur est survenue lors de la récupération de vos informations. Veuillez vous reconnecter.",
  );
  expect(screen.getByRole("link", { name: "Se reconnecter" }).getAttribute("href")).toBe("/");
  await chooseFree();
  await screen.findByText("Erreur lors de la mise à jour: ID utilisateur manquant");
  expect(log.some(({ method }) => method === "PUT")).toBe(false);
});
