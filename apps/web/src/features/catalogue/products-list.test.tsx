import type { ChannelOnWire } from "@sesame/contract/groups";
import type { ProductOnWire } from "@sesame/contract/catalogue";
import { fireEvent, screen, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { renderScreen } from "../../testing/screen.tsx";
import { answerCalls, ok } from "../../testing/web-server.ts";
import { exampleChannel, exampleProduct, exampleUser } from "../../testing/wire-examples.ts";
import { ProductsList } from "./products-list.tsx";

beforeEach(() => history.replaceState(null, "", "/ProductsList"));
function show(products: readonly ProductOnWire[], channels: readonly ChannelOnWire[]): void {
  answerCalls(({ path }) => ok(path.includes("/seller/") ? products : {}));
  renderScreen(<ProductsList />, { known: { user: exampleUser(), channels, products } });
}

const cheap = exampleProduct({ id: "1", title: "Recettes", price: 1_000 });
const dear = exampleProduct({ id: "2", title: "Élevage", price: 9_000, status: "inactive" });
const titles = () =>
  screen.getAllByRole("link").flatMap((link) => {
    const [, title] = /^(Recettes|Élevage)/.exec(link.textContent ?? "") ?? [];
    return title ? [title] : [];
  });
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole("button", { name }));

test("the list is searched, sorted and filtered, and says when nothing passes", () => {
  show([cheap, dear], [exampleChannel()]);
  fireEvent.change(screen.getByRole("searchbox"), { target: { value: "elev" } });
  expect(titles()).toEqual(["Élevage"]);
  fireEvent.change(screen.getByRole("searchbox"), { target: { value: "" } });
  press("Filtres");
  const sort = screen.getByLabelText("Trier par") as HTMLSelectElement;
  expect(sort.value).toBe("recent");
  expect([...sort.options].map(({ value }) => value)).toEqual([
    "recent",
    "price-asc",
    "price-desc",
    "views",
    "sales",
  ]);
  fireEvent.change(sort, { target: { value: "price-desc" } });
  expect(titles()).toEqual(["Élevage", "Recettes"]);
  const row = screen.getByRole("link", { name: /^Recettes/ });
  expect(row.getAttribute("href")).toBe("/ProductCard/1");
  fireEvent.change(screen.getByLabelText("Statut"), { target: { value: "pending" } });
  expect(screen.getByText("Aucun produit disponible")).toBeTruthy();
  press("Effacer les filtres");
  expect(titles()).toEqual(["Élevage", "Recettes"]);
});

test("rows become tiles and rows again", () => {
  show([cheap, dear], [exampleChannel()]);
  const grid = screen.getByRole("button", { name: "Affichage en grille" });
  const seen = () => ({
    pressed: grid.getAttribute("aria-pressed"),
    shape: screen.getByRole("list").className,
    titles: titles(),
    // Figures and group stand in rows alone: a tile has no room for them.
    facts: screen.queryAllByText(/^1 vente · 10 vues · Club Forex$/).length,
  });
  const rows = seen();
  expect(rows).toMatchObject({ pressed: "false", facts: 2 });
  fireEvent.click(grid);
  const tiles = seen();
  expect(tiles).toMatchObject({ pressed: "true", facts: 0, titles: rows.titles });
  expect(tiles.shape).not.toBe(rows.shape);
  fireEvent.click(grid);
  expect(seen()).toEqual(rows);
});

test("a product's menu sees, edits, switches and deletes after a question", async () => {
  show([cheap], [exampleChannel()]);
  const open = () => {
    press("Actions pour Recettes");
    return within(screen.getByRole("dialog", { name: "Recettes" }));
  };
  fireEvent.click(open().getByText("Voir"));
  expect(location.pathname).toBe("/ProductCard/1");
  fireEvent.click(open().getByText("Modifier"));
  expect(location.pathname).toBe("/ModifierProduit/1");
  const menu = open();
  menu.getByText("Suspendre la vente");
  fireEvent.click(menu.getByText("Supprimer"));
  await screen.findByRole("dialog", { name: "Supprimer ce produit ?" });
});

test("the add button asks for the group, then opens its form", () => {
  show([cheap], [exampleChannel(), exampleChannel({ id: "2", name: "Canal", type: "canal" })]);
  press("Ajouter un produit");
  fireEvent.click(within(screen.getByRole("dialog")).getByText("Club Forex"));
  expect(location.pathname).toBe("/ajouterProduit/-1001000000001");
});

test("groups that could not be read are not said to be missing", async () => {
  answerCalls(() => ({ status: 500, body: {} }));
  renderScreen(<ProductsList />, { known: { products: [cheap] } });
  press("Ajouter un produit");
  await screen.findByText("Impossible de charger vos groupes. Veuillez réessayer.");
  expect(screen.queryByText(/^Aucun groupe/)).toBeNull();
  expect(location.pathname).toBe("/ProductsList");
});

test.each([
  [[], "Aucun groupe ou canal n'est configuré. Vous allez être redirigé pour en ajouter un."],
  [
    [exampleChannel({ telegram_group_id: 0 })],
    "Aucun groupe n'a d'identifiant Telegram valide. Vous allez être redirigé pour en configurer un correctement.",
  ],
])("without a group to sell says so, and leads to the bot (%#)", (channels, alert) => {
  show([cheap], channels);
  press("Ajouter un produit");
  expect(screen.getByText(alert)).toBeTruthy();
  press("Compris");
  expect(location.pathname).toBe("/RelierBot");
});

test("who closes the word that no group can be chosen stays on the list", () => {
  show([cheap], []);
  press("Ajouter un produit");
  fireEvent(screen.getByRole("dialog", { name: "Aucun groupe" }), new Event("close"));
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(location.pathname).toBe("/ProductsList");
});

test("a seller without a product reads so, and may be guided by Soni", () => {
  show([], [exampleChannel()]);
  expect(screen.getByText("Aucun produit")).toBeTruthy();
  const guided = screen.getByRole("link", { name: "Créer mon offre avec Soni" });
  expect(guided.getAttribute("href")).toBe("/soni");
  press("Ma boutique");
  expect(location.pathname).toBe("/ProductsList/boutique");
});
