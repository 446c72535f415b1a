import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { renderScreen } from "../../testing/screen.tsx";
import { openAt } from "../../testing/seller-app.ts";
import { answerCalls, ok, good } from "../../testing/web-server.ts";
import { exampleChannel, exampleProduct, exampleUser } from "../../testing/wire-examples.ts";
import { GroupDetail } from "./group-detail.tsx";
import { GroupList } from "./group-list.tsx";
import { LinkBot } from "./link-bot.tsx";

const { details } = exampleChannel();
const GROUP = exampleChannel({
  details: {
    ...details,
    products: 12,
    sales: 34,
    last_event: "Nouvelle vente",
    last_event_at: new Date(Date.now() - 2 * 3_600_000).toISOString(),
  },
});

function show(products: number): void {
  const shelf = Array.from({ length: products }, (_, at) =>
    exampleProduct({ id: String(at), title: `Produit ${at + 1}` }),
  );
  answerCalls(({ path }) => ok(path.includes("/seller/") ? shelf : {}));
  renderScreen(<GroupDetail idGroup="-1001000000001" name="Club" />, {
    known: { user: exampleUser(), channels: [GROUP], products: shelf },
  });
}

const products = () => screen.queryAllByRole("link", { name: /^Produit/ });

test("a group's page counts its products and sales, and says what happened last", () => {
  show(1);
  expect(screen.getByText("12").closest("p")?.textContent).toMatch(/12 Produits/);
  expect(screen.getByText("34").closest("p")?.textContent).toMatch(/34 Ventes/);
  expect(screen.getByText(/^Nouvelle vente · il y a 2\sh/)).toBeTruthy();
  const all = screen.getByRole("link", { name: "Voir tous les produits" });
  expect(all.getAttribute("href")).toBe("/ProductsList");
  expect(products()[0]?.getAttribute("href")).toBe("/ProductCard/0");
  fireEvent.click(screen.getByRole("link", { name: "Ajouter un produit" }));
  expect(location.pathname).toBe("/ajouterProduit/-1001000000001");
});

test("a group that is not the seller's is said to be missing, and leads to those that are", () => {
  answerCalls(() => ok({}));
  renderScreen(<GroupDetail idGroup="-100999" name="Club" />, {
    known: { user: exampleUser(), channels: [GROUP] },
  });
  expect(screen.getByText("Groupe introuvable")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Voir mes groupes" }));
  expect(location.pathname).toBe("/GroupeListe");
});

test("three products are shown, ten of those searched for, from the fourth on", () => {
  show(3);
  expect(products()).toHaveLength(3);
  expect(screen.queryByRole("searchbox")).toBeNull();
  cleanup();
  show(12);
  expect(products()).toHaveLength(3);
  fireEvent.change(screen.getByRole("searchbox"), { target: { value: "produit" } });
  expect(products()).toHaveLength(10);
  fireEvent.change(screen.getByRole("searchbox"), { target: { value: "rien de tel" } });
  expect(screen.getByText("Aucun produit ne correspond à votre recherche.")).toBeTruthy();
  cleanup();
  show(0);
  expect(screen.getByText("Aucun produit")).toBeTruthy();
  const all = screen.getByRole("link", { name: "Voir tous les produits" });
  expect(all.getAttribute("href")).toBe("/ProductsList");
});

test("a refresh asks Telegram anew, and is seen for a second at least", async () => {
  vi.useFakeTimers();
  const log = answerCalls(() => good({ channels: [GROUP] }));
  renderScreen(<GroupList />, { known: { user: exampleUser(), channels: [GROUP] } });
  const refresh = screen.getByRole("button", { name: "Actualiser" });
  fireEvent.click(refresh);
  await act(() => vi.advanceTimersByTimeAsync(900));
  expect(log.some(({ path }) => path === "/api/channels/refresh")).toBe(true);
  expect(refresh.getAttribute("aria-busy")).toBe("true");
  await act(() => vi.advanceTimersByTimeAsync(300));
  expect(refresh.getAttribute("aria-busy")).toBeNull();
});

test("the bot's page names its rights and three ways, and returns after 1.5 s inside Telegram", async () => {
  const channel = "https://t.me/SesameVendeurBot?startchannel=x";
  answerCalls(() => good({ group: channel, channel }));
  vi.stubGlobal("TelegramWebviewProxy", { postEvent: () => undefined });
  vi.stubGlobal("open", () => null);
  openAt("/relierbot");
  renderScreen(<LinkBot />);
  for (const words of [
    "Gérer le groupe ou le canal",
    "Bannir des utilisateurs",
    "Inviter des utilisateurs avec des liens",
    "Sur ordinateur",
    "Dans l'application mobile",
    "Dans un navigateur mobile",
  ]) {
    screen.getByText(words);
  }
  const existing = screen.getByRole("link", { name: "Voir mes groupes et canaux" });
  expect(existing.getAttribute("href")).toBe("/GroupeListe");
  const button = await screen.findByRole("button", { name: "Canal" });
  await waitFor(() => expect((button as HTMLButtonElement).disabled).toBe(false));
  vi.useFakeTimers();
  fireEvent.click(button);
  await act(() => vi.advanceTimersByTimeAsync(1_400));
  expect(location.pathname).toBe("/relierbot");
  await act(() => vi.advanceTimersByTimeAsync(200));
  expect(location.pathname).toBe("/GroupeListe");
});

function showGroup(part: Partial<(typeof GROUP)["details"]>) {
  const channel = exampleChannel({ details: { ...details, ...part } });
  const calls: { method: string; path: string; body: unknown }[] = [];
  answerCalls(({ path, method, body }) => {
    if (path.includes("/seller/")) return ok([]);
    calls.push({ method, path, body });
    const answered = { ...channel.details, members_can_add: false, remove_added: true };
    return good({ channel: { ...channel, details: answered } });
  });
  renderScreen(<GroupDetail idGroup="-1001000000001" name="Club" />, {
    known: { user: exampleUser(), channels: [channel], products: [] },
  });
  return calls;
}

test("a group whose members may add members says so, and one tap closes it", async () => {
  const calls = showGroup({ members_can_add: true });
  expect(screen.getByText(/Chaque membre de ce groupe peut en ajouter/)).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "L'interdire" }));
  await waitFor(() => expect(screen.queryByText(/Chaque membre de ce groupe/)).toBeNull());
  expect(calls).toEqual([{ method: "POST", path: "/api/channels/1/close-member-adds", body: {} }]);
  expect(screen.queryByText(/Chaque membre de ce groupe/)).toBeNull();
});

test("where the bot may not restrict, the fault names the steps in Telegram instead", () => {
  const missing = [{ right: "restrict_members" as const, label: "Bannir des utilisateurs" }];
  showGroup({ members_can_add: true, state: "missing_rights", missing_rights: missing });
  expect(screen.getByText(/désactivez « Ajouter des membres »/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "L'interdire" })).toBeNull();
});

test("among the bot's rights the missing one stands first, and says so", () => {
  const [invite, restrict] = [
    { right: "invite_users" as const, label: "Inviter des utilisateurs avec des liens" },
    { right: "restrict_members" as const, label: "Bannir des utilisateurs" },
  ];
  showGroup({ state: "missing_rights", rights: [invite], missing_rights: [restrict] });
  const rights = screen.getByRole("heading", { name: "Droits du bot" }).closest("section");
  expect(rights?.textContent).toMatch(/Bannir des utilisateursManquant.*Inviter.*Accordé/);
});

test("the seller's switch removes the people whom a member adds", async () => {
  const calls = showGroup({ members_can_add: false });
  const name = "Retirer les personnes ajoutées";
  fireEvent.click(screen.getByRole("switch", { name }));
  const isOn = () => screen.getByRole("switch", { name }).getAttribute("aria-checked");
  await waitFor(() => expect(isOn()).toBe("true"));
  expect(calls).toEqual([
    { method: "PUT", path: "/api/channels/1/entry-rules", body: { remove_added: true } },
  ]);
});
