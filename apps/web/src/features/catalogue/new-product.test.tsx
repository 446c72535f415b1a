import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { setTokenSource } from "../../lib/api.ts";
import { createQueryClient } from "../../lib/query-client.ts";
import { keys } from "../../lib/resources.ts";
import { setSession } from "../../lib/session.ts";
import { type Answer, answerCalls } from "../../testing/web-server.ts";
import { exampleChannel, exampleProduct, exampleUser } from "../../testing/wire-examples.ts";
import { NewProduct } from "./new-product.tsx";

const DURATION = {
  id: "4",
  value: 43_200,
  minutes: 43_200,
  label: "30 jours",
  display_name: "30 jours",
  description: "",
  discount: 0,
  price_tier: "standard",
  active: true,
};

/** Of `GET /api/plans`: the form shows the server's fee. */
const FREE_TERMS = { type_plan: "gratuit", fee_percent: 18 };

beforeEach(() => {
  localStorage.clear();
  setSession({ at: "live", userId: "7", token: "t0k" });
  setTokenSource({ current: () => "t0k", renew: async () => null });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function open(publication: () => Answer) {
  const log = answerCalls(({ method, path }) => {
    if (method === "POST") return publication();
    if (path.startsWith("/api/config")) return { status: 200, body: [DURATION] };
    if (path === "/api/plans") return { status: 200, body: { plans: [FREE_TERMS] } };
    return { status: 200, body: {} };
  });
  const client = createQueryClient();
  client.setQueryData(keys.user, exampleUser());
  client.setQueryData(keys.channels, [exampleChannel()]);
  client.setQueryData(keys.products, []);
  render(
    <QueryClientProvider client={client}>
      <NewProduct idGroup="-1001000000001" />
    </QueryClientProvider>,
  );
  return log;
}

async function fill(): Promise<void> {
  fireEvent.change(screen.getByLabelText(/^Titre/), { target: { value: "Accès VIP" } });
  fireEvent.change(screen.getByLabelText(/^Prix/), { target: { value: "5000" } });
  fireEvent.click(await screen.findByLabelText("30 jours"));
  const file = new File(["x"], "photo.png", { type: "image/png" });
  fireEvent.change(screen.getByLabelText(/^Image/), { target: { files: [file] } });
}

const publish = () => screen.getByRole("button", { name: "Publier" }) as HTMLButtonElement;

// @shows A5.publish-disabled, A5.duration-offered
test("the button waits for the four required fields", async () => {
  open(() => ({ status: 201, body: {} }));
  expect(publish().disabled).toBe(true);
  await fill();
  await waitFor(() => expect(publish().disabled).toBe(false));
  expect(await screen.findByText(/Vous recevez 4\s100\sFCFA par vente/)).toBeTruthy();
});

test("what is typed while the picture is being prepared stays", async () => {
  open(() => ({ status: 201, body: {} }));
  let prepared: (bitmap: unknown) => void = () => {};
  vi.stubGlobal("createImageBitmap", () => new Promise((resolve) => (prepared = resolve)));
  const file = new File(["x"], "photo.png", { type: "image/png" });
  fireEvent.change(screen.getByLabelText(/^Image/), { target: { files: [file] } });
  fireEvent.change(screen.getByLabelText(/^Titre/), { target: { value: "Accès VIP" } });
  fireEvent.change(screen.getByLabelText(/^Prix/), { target: { value: "5000" } });
  fireEvent.click(await screen.findByLabelText("30 jours"));
  prepared(null);
  await waitFor(() => expect(publish().disabled).toBe(false));
  expect((screen.getByLabelText(/^Titre/) as HTMLInputElement).value).toBe("Accès VIP");
  expect(localStorage.getItem("productDraft:7:1")).toContain("Accès VIP");
});

// @shows A4.publication, A4.publication-refresh, A4.produit-publie-avec-succes
test("a success is said, and the draft is gone", async () => {
  const log = open(() => ({ status: 201, body: { success: true, product: exampleProduct() } }));
  await fill();
  await waitFor(() => expect(publish().disabled).toBe(false));
  expect(localStorage.getItem("productDraft:7:1")).toContain("Accès VIP");
  fireEvent.click(publish());
  await screen.findByText("Produit publié avec succès!");
  const sent = log.find(({ method }) => method === "POST");
  expect((sent?.body as FormData | undefined)?.get("price")).toBe("5000");
  expect(sent?.headers.get("idempotency-key")).toBeTruthy();
  expect(localStorage.getItem("productDraft:7:1")).toBeNull();
});

// @shows A4.compris, A8.publish-fails
test("a refusal is said in the server's words, and nothing typed is lost", async () => {
  const message = "Les dimensions de l'image sont trop grandes.";
  open(() => ({ status: 422, body: { success: false, code: "x", message } }));
  await fill();
  await waitFor(() => expect(publish().disabled).toBe(false));
  fireEvent.click(publish());
  await screen.findByText(message);
  fireEvent.click(screen.getByRole("button", { name: "Compris" }));
  expect((screen.getByLabelText(/^Titre/) as HTMLInputElement).value).toBe("Accès VIP");
});

test("a group that is not his is not sold from", async () => {
  answerCalls(() => ({ status: 200, body: {} }));
  const client = createQueryClient();
  client.setQueryData(keys.channels, [exampleChannel()]);
  render(
    <QueryClientProvider client={client}>
      <NewProduct idGroup="-999" />
    </QueryClientProvider>,
  );
  await screen.findByText("Ce groupe n'est pas relié à votre compte.");
});
