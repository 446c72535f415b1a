import { fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { type Known, renderScreen } from "../../testing/screen.tsx";
import { type Answer, answerCalls, ok } from "../../testing/web-server.ts";
import {
  DURATION,
  exampleChannel,
  exampleProduct,
  exampleUser,
} from "../../testing/wire-examples.ts";
import { EditProduct, NewProduct } from "./new-product.tsx";
import { ImageField } from "./product-form.tsx";
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

describe("a new product", () => {
  test("refused without a word is said in ours, while it was said to be under way", async () => {
    let answer: (response: Response) => void = () => undefined;
    const answered = new Promise<Response>((resolve) => {
      answer = resolve;
    });
    serve(silent);
    const ready = globalThis.fetch;
    vi.stubGlobal("fetch", (path: string, init: RequestInit = {}) =>
      init.method === "POST" ? answered : ready(path, init),
    );
    renderScreen(<NewProduct idGroup="1" />, known());
    await publishOne();
    const busy = await screen.findByRole("button", { name: "Publication en cours..." });
    expect((busy as HTMLButtonElement).disabled).toBe(true);
    answer(new Response(JSON.stringify(silent.body), { status: 422 }));
    await screen.findByText("Erreur lors de la publication. Veuillez réessayer.");
    screen.getByRole("dialog", { name: "Erreur" });
  });
});

describe("an edited product", () => {
  test("is said to be under way, and refused without a word in ours", async () => {
    let answer: (response: Response) => void = () => undefined;
    const answered = new Promise<Response>((resolve) => {
      answer = resolve;
    });
    serve(silent);
    const ready = globalThis.fetch;
    vi.stubGlobal("fetch", (path: string, init: RequestInit = {}) =>
      init.method === "PUT" ? answered : ready(path, init),
    );
    renderScreen(<EditProduct id="1" />, known());
    fireEvent.click(await screen.findByRole("button", { name: "Enregistrer" }));
    const busy = await screen.findByRole("button", { name: "Mise à jour en cours..." });
    expect((busy as HTMLButtonElement).disabled).toBe(true);
    answer(new Response(JSON.stringify(silent.body), { status: 422 }));
    await screen.findByText("Erreur lors de la mise à jour. Veuillez réessayer.");
  });

  test("cannot be saved without its title or its price", async () => {
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
});

describe("the picture", () => {
  test.each([
    [
      "Mozilla/5.0 (Linux; Android 12; TECNO KG5) Mobile",
      3,
      "L'image est trop volumineuse. La taille maximale est de 3 Mo.",
    ],
    [
      "Mozilla/5.0 (X11; Linux x86_64)",
      5,
      "L'image est trop volumineuse. La taille maximale est de 5 Mo.",
    ],
  ])("of more than the device may send is refused: %s", async (userAgent, limit, said) => {
    vi.stubGlobal("navigator", { ...navigator, userAgent });
    const chosen = vi.fn();
    renderScreen(<ImageField image={null} current={null} required onChange={chosen} />);
    const choose = (bytes: number) => {
      const file = new File([new Uint8Array(bytes)], "photo.png", { type: "image/png" });
      fireEvent.change(screen.getByLabelText(/^Image/), { target: { files: [file] } });
    };
    choose(limit * 1_048_576 + 1);
    await screen.findByText(said);
    expect(chosen).not.toHaveBeenCalled();
    choose(limit * 1_048_576);
    await waitFor(() => expect(chosen).toHaveBeenCalledTimes(1));
  });

  test("that this browser cannot show is taken all the same", async () => {
    const chosen = vi.fn();
    renderScreen(<ImageField image={null} current={null} required onChange={chosen} />);
    const file = new File(["x"], "photo.heic", { type: "image/heic" });
    fireEvent.change(screen.getByLabelText(/^Image/), { target: { files: [file] } });
    await screen.findByText("Problème avec l'aperçu de l'image, mais vous pouvez continuer.");
    expect(chosen).toHaveBeenCalledTimes(1);
  });
});

describe("the product's page", () => {
  test("shows the five newest subscriptions, and leads to all of them", async () => {
    const rows = Array.from({ length: 5 }, (_, at) => ({
      id: String(at),
      nomClient: `Acheteur ${at}`,
      prix: 5_000,
      net: 4_100,
      dateCreation: "2026-11-20T10:00:00.000Z",
      dateRenouvellement: "2026-12-20T10:00:00.000Z",
      estRenouvellement: false,
      valide: true,
      direct: false,
    }));
    const log = answerCalls(({ path }) =>
      path.startsWith("/api/subscriptions")
        ? ok({ subscriptions: rows, total: 12, next_cursor: "5" })
        : { status: 404, body: {} },
    );
    const product = exampleProduct({ status: "unheard-of" as "active" });
    renderScreen(<ProductCard id="1" />, known({ products: [product] }));
    expect(screen.getAllByText("Produit", { exact: true }).length).toBeGreaterThan(0);
    const toggle = screen.queryByRole("button", { name: /abonnements/i });
    if (toggle) fireEvent.click(toggle);
    await screen.findByText(/Voir tout \(12\)/);
    expect(screen.getAllByText(/Acheteur \d/)).toHaveLength(5);
    expect(log.some(({ path }) => path.includes("limit=5"))).toBe(true);
  });
});
