import { fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { type Known, renderScreen } from "../../testing/screen.tsx";
import { type Answer, answerCalls, ok } from "../../testing/web-server.ts";
import {
  DURATION,
  exampleChannel,
  exampleProduct,
  exampleUser,
} from "../../testing/wire-examples.ts";
import { EditProduct, NewProduct } from "./new-product.tsx";
import { ProductCard } from "./product-card.tsx";

beforeEach(() => {
  localStorage.clear();
  history.replaceState(null, "", "/ProductsList");
});
const known = (part: Known = {}) => ({
  known: {
    user: exampleUser(),
    channels: [exampleChannel()],
    products: [exampleProduct()],
    ...part,
  },
});

function serve(written: Answer | "never", durations: Answer = ok([DURATION])) {
  return answerCalls(({ method, path }) => {
    if (method !== "GET") return written === "never" ? "silence" : written;
    if (path.startsWith("/api/config")) return durations;
    if (!path.startsWith("/api/subscriptions")) return { status: 404, body: {} };
    return ok({ subscriptions: [], total: 0, next_cursor: null });
  });
}

const silent = { status: 422, body: {} };

async function publishOne(): Promise<void> {
  fireEvent.change(screen.getByLabelText(/^Titre/), { target: { value: "Accès VIP" } });
  fireEvent.change(screen.getByLabelText(/^Prix/), { target: { value: "5000" } });
  fireEvent.click(await screen.findByLabelText("30 jours"));
  const file = new File(["x"], "photo.png", { type: "image/png" });
  fireEvent.change(screen.getByLabelText(/^Image/), { target: { files: [file] } });
  const button = screen.getByRole("button", { name: "Publier" }) as HTMLButtonElement;
  await waitFor(() => expect(button.disabled).toBe(false));
  fireEvent.click(button);
}

test.each([
  ["POST", NewProduct, "Publication en cours...", "Erreur lors de la publication."],
  ["PUT", EditProduct, "Mise à jour en cours...", "Erreur lors de la mise à jour."],
] as const)("a %s is said to be under way, and refused without a word in ours", async (...row) => {
  const [method, Form, underWay, refused] = row;
  const answered = Promise.withResolvers<Response>();
  serve(silent);
  const ready = globalThis.fetch;
  vi.stubGlobal("fetch", (path: string, init: RequestInit = {}) =>
    init.method === method ? answered.promise : ready(path, init),
  );
  renderScreen(<Form id="1" idGroup="1" />, known());
  if (method === "POST") await publishOne();
  else fireEvent.click(await screen.findByRole("button", { name: "Enregistrer" }));
  expect((await screen.findByRole<HTMLButtonElement>("button", { name: underWay })).disabled).toBe(
    true,
  );
  answered.resolve(new Response(JSON.stringify(silent.body), { status: 422 }));
  await screen.findByText(`${refused} Veuillez réessayer.`);
  screen.getByRole("dialog", { name: "Erreur" });
});

test("an edited product cannot be saved without its title or its price", async () => {
  serve(silent);
  renderScreen(<EditProduct id="1" />, known());
  const save = (await screen.findByRole("button", { name: "Enregistrer" })) as HTMLButtonElement;
  for (const label of [/^Titre/, /^Prix/]) {
    const field = screen.getByLabelText(label) as HTMLInputElement;
    const before = field.value;
    fireEvent.change(field, { target: { value: " " } });
    expect(save.disabled).toBe(true);
    fireEvent.change(field, { target: { value: before } });
    expect(save.disabled).toBe(false);
  }
});

test("a product whose status is not known yet is shown all the same", () => {
  serve(silent);
  const product = exampleProduct({ status: "unheard-of" as "active" });
  renderScreen(<ProductCard id="1" />, known({ products: [product] }));
  expect(screen.getAllByText("Produit", { exact: true }).length).toBeGreaterThan(0);
});
