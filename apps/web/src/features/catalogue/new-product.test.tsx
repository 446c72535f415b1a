import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { setTokenSource } from "../../lib/api.ts";
import { createQueryClient } from "../../lib/read.ts";
import { setSession } from "../../lib/session.ts";
import { keys, renderScreen } from "../../testing/screen.tsx";
import { type Answer, answerCalls, ok } from "../../testing/web-server.ts";
import {
  DURATION,
  exampleChannel,
  exampleProduct,
  exampleUser,
} from "../../testing/wire-examples.ts";
import { dropDraft } from "./form.ts";
import { NewProduct } from "./new-product.tsx";

/** Of `GET /api/plans`: the form shows the server's fee. */
const FREE_TERMS = { type_plan: "gratuit", fee_percent: 18 };

beforeEach(() => {
  // Its picture is kept in memory.
  dropDraft("7:1");
  setSession({ at: "live", userId: "7", token: "t0k" });
  setTokenSource({ current: () => "t0k", renew: async () => null });
});

const created = (body: object = {}): Answer => ({ status: 201, body });

function open(
  publication: () => Answer | Promise<Answer> = () => created(),
  channel = exampleChannel(),
) {
  const log = answerCalls(({ method, path }) => {
    if (method === "POST") return publication();
    if (path.startsWith("/api/config")) return ok([DURATION]);
    if (path === "/api/plans") return ok({ plans: [FREE_TERMS] });
    return ok({});
  });
  const known = { user: exampleUser(), channels: [channel], products: [] };
  renderScreen(<NewProduct idGroup="-1001000000001" />, { known });
  return log;
}

async function fill(): Promise<void> {
  fireEvent.change(screen.getByLabelText(/^Titre/), { target: { value: "Accès VIP" } });
  fireEvent.change(screen.getByLabelText(/^Prix/), { target: { value: "5000" } });
  fireEvent.click(await screen.findByLabelText("30 jours"));
  const file = new File(["x"], "photo.png", { type: "image/png" });
  fireEvent.change(screen.getByLabelText(/^Image/), { target: { files: [file] } });
}

const publish = () => screen.getByRole<HTMLButtonElement>("button", { name: "Publier" });
const titleNow = () => screen.getByLabelText<HTMLInputElement>(/^Titre/).value;

/** Filled in, and its button tapped once it may be. */
async function publishOne(): Promise<void> {
  await fill();
  await waitFor(() => expect(publish().disabled).toBe(false));
  fireEvent.click(publish());
}

test("a group that cannot sell is named in the form, with the way to it", () => {
  const channel = exampleChannel();
  const details = { ...channel.details, sellable: false, state_label: "Déconnecté" };
  open(undefined, { ...channel, details });
  screen.getByText(/^Ce groupe est « Déconnecté »/);
  const way = screen.getByRole("link", { name: "Voir le groupe" });
  expect(way.getAttribute("href")).toBe("/GroupeDetail/1");
});

test("the button waits for the four required fields, and for each of them", async () => {
  open();
  expect(publish().disabled).toBe(true);
  await fill();
  await waitFor(() => expect(publish().disabled).toBe(false));
  for (const [label, value] of [
    [/^Titre/, "Accès VIP"],
    [/^Prix/, "5000"],
  ] as const) {
    fireEvent.change(screen.getByLabelText(label), { target: { value: "  " } });
    expect(publish().disabled).toBe(true);
    fireEvent.change(screen.getByLabelText(label), { target: { value } });
    expect(publish().disabled).toBe(false);
  }
  // A duration is one of those that were loaded, and nothing else.
  expect(screen.getAllByRole("radio", { name: /jour/ })).toHaveLength(1);
  expect(await screen.findByText(/Vous recevez 4\s100\sFCFA par vente/)).toBeTruthy();
});

test("a template fills the form without a word of the seller's lost, and publishes nothing", async () => {
  const log = open();
  const valueOf = (label: RegExp) => (screen.getByLabelText(label) as HTMLInputElement).value;
  fireEvent.click(await screen.findByLabelText(/^Pro hebdomadaire/));
  expect(valueOf(/^Titre/)).toBe("Communauté Pro hebdomadaire");
  fireEvent.change(screen.getByLabelText(/^Prix/), { target: { value: "2750" } });
  fireEvent.click(screen.getByLabelText(/^VIP mensuel/));
  expect(valueOf(/^Titre/)).toBe("Accès VIP mensuel");
  expect(valueOf(/^Prix/)).toMatch(/^2\s750$/);
  expect((screen.getByLabelText("30 jours") as HTMLInputElement).checked).toBe(true);
  expect((screen.getByLabelText("Description") as HTMLTextAreaElement).value).toContain("mois");
  expect(publish().disabled).toBe(true);
  expect(log.some(({ method }) => method === "POST")).toBe(false);
});

test("the description counts up to 500, and beyond it nothing is published", async () => {
  open();
  await fill();
  await waitFor(() => expect(publish().disabled).toBe(false));
  const description = screen.getByLabelText("Description");
  fireEvent.change(description, { target: { value: "x".repeat(500) } });
  expect(screen.getByText("500/500")).toBeTruthy();
  expect(publish().disabled).toBe(false);
  fireEvent.change(description, { target: { value: "x".repeat(501) } });
  expect(screen.getByText("501/500")).toBeTruthy();
  expect(publish().disabled).toBe(true);
});

test("the title says how many characters it has once its end is near", async () => {
  open();
  await fill();
  expect(screen.queryByText("9/120")).toBeNull();
  fireEvent.change(screen.getByLabelText(/^Titre/), { target: { value: "x".repeat(100) } });
  screen.getByText("100/120");
});

test.each([
  ["Mozilla/5.0 (Linux; Android 12) Mobile", 3],
  ["Mozilla/5.0 (X11; Linux x86_64)", 5],
])("a picture is held to what %s may send: %i MB", async (userAgent, megabytes) => {
  vi.stubGlobal("navigator", { ...navigator, userAgent });
  open();
  const choose = (file: File) =>
    fireEvent.change(screen.getByLabelText(/^Image/), { target: { files: [file] } });
  const bytes = new Uint8Array(megabytes * 1024 * 1024 + 1);
  choose(new File([bytes], "photo.png", { type: "image/png" }));
  await screen.findByText(
    `L'image est trop volumineuse. La taille maximale est de ${megabytes} Mo.`,
  );
  choose(new File(["x"], "notes.txt", { type: "text/plain" }));
  await screen.findByText("Veuillez choisir un fichier image.");
  choose(new File([bytes.subarray(1)], "photo.png", { type: "image/png" }));
  await screen.findByText("Problème avec l'aperçu de l'image, mais vous pouvez continuer.");
});

test("durations that do not come are said, and asked for again", async () => {
  let down = true;
  answerCalls(({ path }) => {
    if (!path.startsWith("/api/config")) return ok({});
    return down ? { status: 500, body: { message: "Non." } } : ok([DURATION]);
  });
  const client = createQueryClient();
  client.setDefaultOptions({ queries: { retry: false } });
  client.setQueryData(keys.user, exampleUser());
  client.setQueryData(keys.channels, [exampleChannel()]);
  render(
    <QueryClientProvider client={client}>
      <NewProduct idGroup="1" />
    </QueryClientProvider>,
  );
  await screen.findByText("Impossible de charger les durées disponibles");
  down = false;
  fireEvent.click(screen.getByRole("button", { name: "Réessayer" }));
  await screen.findByLabelText("30 jours");
});

test("what is typed while the picture is being prepared stays", async () => {
  open();
  let prepared: (bitmap: unknown) => void = () => {};
  const preparing = new Promise((resolve) => (prepared = resolve));
  vi.stubGlobal("createImageBitmap", () => preparing);
  const file = new File(["x"], "photo.png", { type: "image/png" });
  fireEvent.change(screen.getByLabelText(/^Image/), { target: { files: [file] } });
  fireEvent.change(screen.getByLabelText(/^Titre/), { target: { value: "Accès VIP" } });
  fireEvent.change(screen.getByLabelText(/^Prix/), { target: { value: "5000" } });
  fireEvent.click(await screen.findByLabelText("30 jours"));
  prepared(null);
  await waitFor(() => expect(publish().disabled).toBe(false));
  expect(titleNow()).toBe("Accès VIP");
  await waitFor(() => expect(localStorage.getItem("productDraft:7:1")).toContain("Accès VIP"));
});

test("a success is said, all data are asked anew, and the form begins anew", async () => {
  const log = open(() => created({ success: true, product: exampleProduct() }));
  await fill();
  await waitFor(() => expect(publish().disabled).toBe(false));
  await waitFor(() => expect(localStorage.getItem("productDraft:7:1")).toContain("Accès VIP"));
  fireEvent.click(publish());
  await screen.findByText("Produit publié avec succès!");
  const sent = log.find(({ method }) => method === "POST");
  expect((sent?.body as FormData | undefined)?.get("price")).toBe("5000");
  expect(sent?.headers.get("idempotency-key")).toBeTruthy();
  await waitFor(() => expect(localStorage.getItem("productDraft:7:1")).toBeNull());
  const after = () => log.slice(log.indexOf(sent as (typeof log)[number]) + 1);
  await waitFor(() =>
    expect(after().map(({ path }) => path)).toEqual(
      expect.arrayContaining(["/api/users/7", "/api/channels"]),
    ),
  );
  fireEvent.click(screen.getByRole("button", { name: "Voir mes produits" }));
  expect(location.pathname).toBe("/ProductsList");
  cleanup();
  open();
  expect(titleNow()).toBe("");
  expect(publish().disabled).toBe(true);
});

test("a refusal is said in the server's words, and nothing typed is lost", async () => {
  const message = "Les dimensions de l'image sont trop grandes.";
  open(() => ({ status: 422, body: { success: false, code: "x", message } }));
  await publishOne();
  await screen.findByText(message);
  fireEvent.click(screen.getByRole("button", { name: "Compris" }));
  expect(titleNow()).toBe("Accès VIP");
});

test("a publication is said to be under way, and refused without a word in ours", async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<Answer>();
  open(() => answered);
  await publishOne();
  const underWay = { name: "Publication en cours..." };
  expect((await screen.findByRole<HTMLButtonElement>("button", underWay)).disabled).toBe(true);
  answer({ status: 422, body: {} });
  await screen.findByText("Erreur lors de la publication. Veuillez réessayer.");
  screen.getByRole("dialog", { name: "Erreur" });
});

test("a group that is not his is not sold from", async () => {
  answerCalls(() => ok({}));
  renderScreen(<NewProduct idGroup="-999" />, { known: { channels: [exampleChannel()] } });
  await screen.findByText("Ce groupe n'est pas relié à votre compte.");
});
