import type { ProductOnWire } from "@sesame/contract/catalogue";
import { act, fireEvent, screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { keys, renderScreen } from "../../testing/screen.tsx";
import { type Answer, type Asked, answerCalls, ok, good } from "../../testing/web-server.ts";
import {
  exampleChannel,
  exampleProduct,
  exampleSubscription,
  exampleUser,
} from "../../testing/wire-examples.ts";
import { EditProduct } from "./new-product.tsx";
import { ProductCard } from "./product-card.tsx";
import { StatusBadge } from "./product-parts.tsx";

const PRODUCT = exampleProduct({ created_at: "2026-11-01T08:00:00.000Z", views: 10 });

function server(other: (asked: Asked) => Answer | Promise<Answer> | undefined = () => undefined) {
  return answerCalls((asked) => {
    const own = other(asked);
    if (own) return own;
    if (asked.path.startsWith("/api/subscriptions")) {
      const rows = Array.from({ length: 5 }, (_, at) => exampleSubscription({ id: String(at) }));
      return good({ subscriptions: rows, total: 12 });
    }
    if (asked.path.startsWith("/api/products/seller")) return ok([PRODUCT]);
    return ok({});
  });
}

function show(screenOf: (id: string) => React.JSX.Element, product: ProductOnWire = PRODUCT): void {
  const channels = [exampleChannel(), exampleChannel({ id: "2", name: "Canal VIP" })];
  renderScreen(screenOf(product.id), {
    known: { user: exampleUser(), channels, products: [product] },
  });
}

const card = (id: string) => <ProductCard id={id} />;
const edit = (id: string) => <EditProduct id={id} />;

test("a product's page shows all it is, and the five newest subscriptions of all", async () => {
  const log = server();
  show(card, exampleProduct({ ...PRODUCT, image_url: "/images/1/1280.jpg" }));
  expect(screen.getByRole("heading", { level: 1, name: PRODUCT.title })).toBeTruthy();
  expect(screen.getByText(/Créé le 1er novembre 2026/)).toBeTruthy();
  expect(screen.getAllByText(/^5\s000\sFCFA$/).length).toBeGreaterThan(0);
  for (const word of ["Actif", "Ventes", "Durée d'abonnement", "Revenu total brut", "vip1K3pQ"]) {
    expect(screen.getAllByText(word).length, word).toBeGreaterThan(0);
  }
  expect(screen.getByText("∞")).toBeTruthy();
  expect(screen.getByText("Autre")).toBeTruthy();
  const all = await screen.findByRole("link", { name: "Voir tout (12)" });
  expect(all.getAttribute("href")).toBe("/ProductCard/1/abonnements");
  expect(screen.getAllByText("Koffi Mensah")).toHaveLength(5);
  expect(screen.getByText("Historique des abonnements").closest("details")).toBeTruthy();
  expect(log.some(({ path }) => path === "/api/subscriptions?product=1&limit=5")).toBe(true);
  screen.getByText(PRODUCT.description);
  fireEvent.click(screen.getByRole("link", { name: "Modifier le produit" }));
  expect(location.pathname).toBe("/ModifierProduit/1");
});

test("what is not on sale is not said to be bought by its link", () => {
  server();
  show(card, exampleProduct({ ...PRODUCT, status: "pending" }));
  screen.getByText(/^Ce produit ne se vend pas pour le moment/);
  expect(screen.queryByText(/^Envoyez ce lien à vos acheteurs/)).toBeNull();
});

test("a picture that does not come leaves its place, and its name", () => {
  server();
  show(card, exampleProduct({ ...PRODUCT, image_url: "/images/gone.jpg" }));
  const picture = () => screen.getByRole("img", { name: `Image de ${PRODUCT.title}` });
  expect(picture().tagName).toBe("IMG");
  fireEvent.error(picture());
  expect(picture().tagName).toBe("SPAN");
});

test("its link is copied, and the toast is read for three seconds", async () => {
  server();
  const written: string[] = [];
  vi.stubGlobal("navigator", {
    ...navigator,
    userAgent: "test",
    clipboard: { writeText: async (text: string) => void written.push(text) },
  });
  show(card);
  vi.useFakeTimers();
  fireEvent.click(screen.getByRole("button", { name: "Copier le lien" }));
  await act(() => vi.advanceTimersByTimeAsync(0));
  screen.getByText("Lien copié avec succès!");
  expect(written).toEqual([PRODUCT.share_link]);
  await act(() => vi.advanceTimersByTimeAsync(2_900));
  screen.getByText("Lien copié avec succès!");
  await act(() => vi.advanceTimersByTimeAsync(100));
  expect(screen.queryByText("Lien copié avec succès!")).toBeNull();
});

test.each([
  ["is not there", undefined],
  ["refuses", { writeText: async () => Promise.reject(new Error("NotAllowed")) }],
])("where the clipboard %s its link is copied by the old way", async (_what, clipboard) => {
  server();
  vi.stubGlobal("navigator", { ...navigator, userAgent: "test", clipboard });
  const copied: string[] = [];
  document.execCommand = (command) => {
    const chosen = document.querySelector<HTMLTextAreaElement>("textarea[readonly]");
    copied.push(`${command} ${chosen?.value}`);
    return true;
  };
  show(card);
  fireEvent.click(screen.getByRole("button", { name: "Copier le lien" }));
  await screen.findByText("Lien copié avec succès!");
  expect(copied).toEqual([`copy ${PRODUCT.share_link}`]);
  expect(document.querySelector("textarea")).toBeNull();
});

test("where nothing can be copied the link is selected, and it is said", async () => {
  server();
  vi.stubGlobal("navigator", { ...navigator, userAgent: "test", clipboard: undefined });
  document.execCommand = () => false;
  show(card);
  fireEvent.click(screen.getByRole("button", { name: "Copier le lien" }));
  expect((await screen.findByRole("alert")).textContent).toBe(
    "Impossible de copier automatiquement. Cliquez sur le lien pour le sélectionner.",
  );
  const link = screen.getByLabelText("Lien de vente") as HTMLInputElement;
  const selected = () => link.value.slice(link.selectionStart ?? 0, link.selectionEnd ?? 0);
  expect(selected()).toBe(PRODUCT.share_link);
  link.setSelectionRange(0, 0);
  fireEvent.focus(link);
  expect(selected()).toBe(PRODUCT.share_link);
});

test("a product read by its id is shown from the list once a newer list has it", async () => {
  server(({ path }) =>
    path === "/api/products/1" ? good({ product: { ...PRODUCT, title: "Lu seul" } }) : undefined,
  );
  const client = renderScreen(card("1"), { known: { user: exampleUser(), products: [] } });
  await screen.findByText("Lu seul");
  act(() => void client.setQueryData(keys.products, [{ ...PRODUCT, title: "Plus récent" }]));
  await screen.findByText("Plus récent");
  expect(screen.queryByText("Lu seul")).toBeNull();
});

test("an absent product is said so", async () => {
  server(({ path }) =>
    path === "/api/products/99" ? { status: 404, body: { message: "Non." } } : undefined,
  );
  show(() => card("99"));
  await screen.findByText("Produit introuvable");
});

test.each([
  ["active", "Actif"],
  ["inactive", "Inactif"],
  ["pending", "En attente"],
  ["", "Produit"],
])("the badge of %s says %s", (status, word) => {
  renderScreen(<StatusBadge status={status} />);
  screen.getByText(word);
});

test("a product whose status is not known yet is shown all the same", () => {
  server();
  show(card, exampleProduct({ status: "unheard-of" as "active" }));
  expect(screen.getAllByText("Produit", { exact: true }).length).toBeGreaterThan(0);
});

const type = (label: RegExp | string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const button = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });

test("an edited product cannot be saved without its title or its price", () => {
  server();
  show(edit);
  for (const label of [/^Titre/, /^Prix/]) {
    const before = screen.getByLabelText<HTMLInputElement>(label).value;
    type(label, " ");
    expect(button("Enregistrer").disabled).toBe(true);
    type(label, before);
    expect(button("Enregistrer").disabled).toBe(false);
  }
});

test("an edit is sent with its group, said while it goes, and leads to the list", async () => {
  const { promise: finished, resolve: finish } = Promise.withResolvers<Answer>();
  const log = server(({ method }) => (method === "PUT" ? finished : undefined));
  show(edit);
  type(/^Titre/, "Autre titre");
  type("Groupe ou canal", "2");
  fireEvent.click(button("Enregistrer"));
  await screen.findByRole("button", { name: "Mise à jour en cours..." });
  expect(button("Mise à jour en cours...").disabled).toBe(true);
  finish(good({ product: { ...PRODUCT, title: "Autre titre" } }));
  const done = within(
    await screen.findByRole("dialog", { name: /^Produit mis à jour avec succès\s!$/ }),
  );
  const form = log.find(({ method }) => method === "PUT")?.body as FormData;
  expect([form.get("title"), form.get("group_id")]).toEqual(["Autre titre", "2"]);
  fireEvent.click(done.getByRole("button", { name: "Voir mes produits" }));
  expect(location.pathname).toBe("/ProductsList");
});

test.each([422, 500])(
  "an edit refused by a bare %i is said in ours, and keeps what was typed",
  async (status) => {
    server(({ method }) => (method === "PUT" ? { status, body: {} } : undefined));
    show(edit);
    type(/^Titre/, "Autre titre");
    fireEvent.click(button("Enregistrer"));
    await screen.findByText("Erreur lors de la mise à jour. Veuillez réessayer.");
    screen.getByRole("dialog", { name: "Erreur" });
    fireEvent.click(button("Compris"));
    expect(screen.getByLabelText<HTMLInputElement>(/^Titre/).value).toBe("Autre titre");
  },
);
