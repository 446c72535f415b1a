import type { ChannelOnWire } from "@sesame/contract/groups";
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { renderScreen } from "../../testing/screen.tsx";
import { answerCalls, good } from "../../testing/web-server.ts";
import { exampleChannel, exampleProduct, exampleUser } from "../../testing/wire-examples.ts";
import { GroupList } from "./group-list.tsx";
import { LinkBot } from "./link-bot.tsx";

const { details } = exampleChannel();

function show(channels: readonly ChannelOnWire[], products = [exampleProduct()]) {
  answerCalls(({ path }) => good({ channels: path.endsWith("/reclaimable") ? [] : channels }));
  renderScreen(<GroupList />, { known: { user: exampleUser(), channels, products } });
}

test("once a group is linked, the next step is the first product", () => {
  show([exampleChannel()], []);
  const next = screen.getByRole("link", { name: /^Publiez votre premier produit/ });
  expect(next.getAttribute("href")).toBe(`/ajouterProduit/${exampleChannel().telegram_group_id}`);
  cleanup();
  show([exampleChannel()]);
  expect(screen.queryByRole("link", { name: /^Publiez/ })).toBeNull();
});

const INVITE = { right: "invite_users", label: "Inviter des utilisateurs avec des liens" } as const;

test.each([
  ["missing_rights", "Droits manquants", /^Il manque au bot : Inviter des utilisateurs/],
  ["over_quota", "Hors quota", /^Le plan gratuit vend l'accès à 3 groupes/],
  ["seller_not_admin", "Ventes en pause", /^Vous n'êtes plus administrateur de ce groupe/],
] as const)("a group that does not sell says so, and why: %s", (state, label, why) => {
  const missing_rights = state === "missing_rights" ? [INVITE] : [];
  show([exampleChannel({ details: { ...details, state, missing_rights } })]);
  expect(screen.getByText(label)).toBeTruthy();
  expect(screen.getByText(why)).toBeTruthy();
});

/** One more than the plan sells. */
const channels = [1, 2, 3, 4].map((at) =>
  exampleChannel({
    id: String(at),
    name: `Club ${at}`,
    details: { ...details, in_quota: at < 4, state: at < 4 ? "connected" : "over_quota" },
  }),
);

test("which groups sell is chosen, exactly as many as the plan has", async () => {
  show(channels);
  const log = answerCalls(() => good({ channels }));
  fireEvent.click(screen.getByRole("button", { name: "Choisir mes 3 groupes" }));
  const box = (name: string) => screen.getByRole("switch", { name }) as HTMLButtonElement;
  const save = screen.getByRole("button", { name: "Enregistrer" }) as HTMLButtonElement;
  expect(box("Club 4").disabled).toBe(true);
  fireEvent.click(box("Club 1"));
  expect(save.disabled).toBe(true);
  fireEvent.click(box("Club 4"));
  fireEvent.click(save);
  await screen.findByRole("button", { name: "Choisir mes 3 groupes" });
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const put = log.find(({ method }) => method === "PUT");
  expect([put?.path, put?.body]).toEqual(["/api/groups/quota", { groups: ["2", "3", "4"] }]);
});

test("a choice that is left is forgotten", () => {
  show(channels);
  const open = () => fireEvent.click(screen.getByRole("button", { name: "Choisir mes 3 groupes" }));
  const box = () => screen.getByRole("switch", { name: "Club 1" });
  const isOn = () => box().getAttribute("aria-checked");
  open();
  fireEvent.click(box());
  expect(isOn()).toBe("false");
  fireEvent.click(screen.getByRole("button", { name: "Annuler" }));
  expect(screen.queryByRole("dialog")).toBeNull();
  open();
  expect(isOn()).toBe("true");
});

test("a row leads to its group; one without an id leads to linking again", () => {
  show([
    exampleChannel({ name: "VIP 100 % /?" }),
    exampleChannel({ id: "2", name: "Perdu", telegram_group_id: 0 }),
    exampleChannel({ id: "3", name: "Annonces", type: "canal" }),
  ]);
  const [first, second, third] = screen.getAllByRole("link");
  for (const [row, kind, name] of [
    [first, "Groupe", "VIP 100 % /?"],
    [third, "Canal", "Annonces"],
  ] as const) {
    const shown = within(row as HTMLElement);
    expect(shown.getByTitle(kind).querySelector("svg")).toBeTruthy();
    shown.getByText(name);
    shown.getByText("-1001000000001");
  }
  expect(first?.getAttribute("href")).toBe(
    "/GroupeDetail/-1001000000001/groupe/VIP%20100%20%25%20%2F%3F",
  );
  expect(screen.getByText("ID manquant")).toBeTruthy();
  expect(second?.getAttribute("href")).toBe("/relierbot");
  expect(second?.textContent).toContain("Reconnecter");
});

test("without any group it says so, and offers to add one", () => {
  show([]);
  expect(screen.getByText("Vous n'avez pas encore de groupes ou canaux")).toBeTruthy();
  fireEvent.click(screen.getAllByRole("button", { name: "Ajouter un groupe ou un canal" })[0]!);
  expect(location.pathname).toBe("/relierbot");
});

test("while the groups come their place is kept, and said", async () => {
  answerCalls(() => good({ channels: [] }));
  renderScreen(<GroupList />);
  screen.getByRole("status", { name: "Chargement des groupes" });
  await screen.findByText("Vous n'avez pas encore de groupes ou canaux");
});

test("in a browser the bot's link opens in a tab and the list is shown at once", async () => {
  const group = "https://t.me/SesameVendeurBot?startgroup=x";
  answerCalls(() => good({ group, channel: group, permissions: [] }));
  const open = vi.fn();
  vi.stubGlobal("open", open);
  history.replaceState(null, "", "/relierbot");
  renderScreen(<LinkBot />);
  const button = await screen.findByRole("button", { name: "Groupe" });
  await waitFor(() => expect((button as HTMLButtonElement).disabled).toBe(false));
  fireEvent.click(button);
  expect(open).toHaveBeenCalledWith(group, "_blank", "noopener");
  expect(location.pathname).toBe("/GroupeListe");
});

test("a group of the person's own that another seller sells is taken back, once its effects are read", async () => {
  const channel = { id: "9", name: "Club VIP", type: "groupe", telegram_group_id: -100_9 } as const;
  const asked = answerCalls(({ path, method }) => {
    const ours = method === "POST" ? [channel] : [];
    if (path.endsWith("/reclaimable")) return good({ channels: [channel] });
    return good({ channels: ours, channel: exampleChannel() });
  });
  renderScreen(<GroupList />, { known: { user: exampleUser(), channels: [] } });
  const name = /^Reprendre ce groupe\s*: Club VIP$/;
  fireEvent.click(await screen.findByRole("button", { name }));
  const dialog = within(screen.getByRole("dialog"));
  dialog.getByText(/produits de l'autre vendeur .* ne se vendent plus/);
  dialog.getByText(/remboursements restent à l'autre vendeur/);
  expect(asked.some(({ method }) => method === "POST")).toBe(false);
  fireEvent.click(dialog.getByRole("button", { name: "Reprendre" }));
  await waitFor(() =>
    expect(asked.some(({ path }) => path === "/api/channels/9/reclaim")).toBe(true),
  );
});
