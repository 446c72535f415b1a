import type { AnswerOf } from "@sesame/contract/routes";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { findAlert, renderScreen } from "../../testing/screen.tsx";
import {
  type Answer,
  type Asked,
  answerCalls,
  ok,
  good,
  writes,
} from "../../testing/web-server.ts";
import { Developers } from "./developers.tsx";

type DeliveryAnswer = AnswerOf<"GET /api/developers/deliveries/:id">;
type DevelopersAnswer = AnswerOf<"GET /api/developers">;

const SECRET = "sk_sesame_ABCDEFGHJKLMNPQRSTUVWXYZabcdefghij0000abc";
const KEY: DevelopersAnswer["keys"][number] = {
  id: "1",
  name: "Mon site",
  masked: "sk_sesame_…0abc",
  scopes: ["orders:read"],
  created_at: "2026-11-16T09:00:00.000Z",
  last_used_on: null,
};
const ENDPOINT: DevelopersAnswer["endpoints"][number] = {
  id: "3",
  url: "https://exemple.ci/hook",
  events: ["order.paid"],
  active: true,
  off_reason: null,
  failing_since: null,
  old_secret_until: null,
  created_at: "2026-11-16T09:00:00.000Z",
};
const LAST = { at: "2026-11-19T09:00:00.000Z", status_code: 500, failure: null, duration_ms: 12 };
const DELIVERY: DeliveryAnswer = {
  success: true,
  message: "",
  delivery: {
    id: "9",
    webhook_id: "msg_1",
    type: "order.paid",
    endpoint_id: "3",
    url: ENDPOINT.url,
    status: "failed",
    attempts: 10,
    created_at: "2026-11-16T09:00:00.000Z",
    next_at: null,
    last: LAST,
  },
  body: '{"type":"order.paid","data":{}}',
  log: [{ ...LAST, answer: "<b>oups</b>" }],
};

const PAGE: DevelopersAnswer = {
  success: true,
  open: true,
  keys: [],
  endpoints: [],
  scopes: [
    { key: "orders:read", label: "Lire les commandes" },
    { key: "products:read", label: "Lire les produits" },
  ],
  events: [{ key: "order.paid", label: "Commande payée" }],
  limits: { keys: 10, endpoints: 5, deliveries_days: 30 },
};

function open(more?: Partial<DevelopersAnswer>, write?: () => Answer, cached = {}): Asked[] {
  const page = { ...PAGE, ...more };
  const log = answerCalls(({ method, path }) => {
    if (method !== "GET") return write?.() ?? ok({});
    if (path.startsWith("/api/developers/deliveries/")) return ok(DELIVERY);
    if (path.startsWith("/api/developers/deliveries"))
      return good({ deliveries: [DELIVERY.delivery], next_cursor: null });
    return ok(page);
  });
  renderScreen(<Developers />, cached);
  return log;
}

test("on the free plan the page says what premium offers, and leads there", async () => {
  open({ open: false });
  expect(await screen.findByText("Vos outils, reliés à votre boutique")).toBeTruthy();
  fireEvent.click(screen.getByRole("link", { name: "Voir les plans" }));
  await waitFor(() => expect(window.location.pathname).toBe("/Plans"));
});

test("keys of a premium that has ended stay, and say that they rest", async () => {
  open({ open: false, keys: [KEY] });
  expect(await screen.findByText(/vos clés et vos webhooks sont en pause/)).toBeTruthy();
  expect(screen.getByText("Mon site")).toBeTruthy();
  expect(screen.queryByText("Créer une clé")).toBeNull();
});

test("a key is asked for by name and rights, shown once, and gone when closed", async () => {
  let answer: Answer = { status: 422, body: { message: "Le nom est trop long" } };
  const log = open({}, () => answer);
  fireEvent.click(await screen.findByRole("button", { name: "Créer une clé" }));
  const [, send] = await screen.findAllByRole("button", { name: "Créer une clé" });
  fireEvent.change(screen.getByLabelText(/^Nom/), { target: { value: " Mon site " } });
  fireEvent.click(screen.getByRole("switch", { name: "Lire les produits" }));
  fireEvent.click(send as HTMLElement);
  await findAlert("Le nom est trop long");
  answer = { status: 201, body: { success: true, message: "", key: KEY, secret: SECRET } };
  fireEvent.click(send as HTMLElement);
  expect(await screen.findByText(SECRET)).toBeTruthy();
  expect(writes(log).map(({ path, body }) => [path, body])).toEqual([
    ["/api/developers/keys", { name: "Mon site", scopes: ["orders:read", "products:read"] }],
    ["/api/developers/keys", { name: "Mon site", scopes: ["orders:read", "products:read"] }],
  ]);
  const [first, second] = writes(log).map(({ headers }) => headers.get("idempotency-key"));
  expect(first).toBe(second);
  fireEvent.click(screen.getByRole("button", { name: "C'est copié" }));
  await waitFor(() => expect(screen.queryByText(SECRET)).toBeNull());
});

test("a key is revoked after a question", async () => {
  const log = open({ keys: [KEY] }, () => good({ message: "Clé révoquée" }));
  fireEvent.click(await screen.findByText("Mon site"));
  fireEvent.click(await screen.findByRole("button", { name: "Révoquer la clé" }));
  expect(writes(log)).toEqual([]);
  const dialog = await screen.findByRole("dialog", { name: "Révoquer «\u00a0Mon site\u00a0» ?" });
  fireEvent.click(within(dialog).getByRole("button", { name: "Révoquer la clé" }));
  await waitFor(() =>
    expect(writes(log).map(({ path }) => path)).toEqual(["/api/developers/keys/1"]),
  );
  expect(writes(log)[0]?.headers.get("idempotency-key")).toBeTruthy();
});

test("an address that is refused says why, and stays to be mended", async () => {
  const message =
    "Cette adresse n'est pas joignable depuis Internet : donnez une adresse publique.";
  open({ keys: [KEY] }, () => ({ status: 422, body: { message } }));
  fireEvent.click(await screen.findByText("Ajouter une adresse"));
  const field = (await screen.findByLabelText(/^Adresse de votre serveur/)) as HTMLInputElement;
  fireEvent.change(field, { target: { value: "https://10.0.0.1/" } });
  fireEvent.submit(field.form as HTMLFormElement);
  await findAlert(message);
  expect(field.value).toBe("https://10.0.0.1/");
});

test("what was sent is read with every answer, as text, and sent again", async () => {
  const log = open({ keys: [KEY], endpoints: [ENDPOINT] }, () =>
    ok({ ...DELIVERY, message: "Événement renvoyé." }),
  );
  fireEvent.click(await screen.findByText("Commande payée"));
  expect(await screen.findByText("<b>oups</b>")).toBeTruthy();
  expect(screen.getByText("msg_1")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Renvoyer" }));
  await waitFor(() =>
    expect(writes(log).map(({ path }) => path)).toEqual(["/api/developers/deliveries/9/replay"]),
  );
});

test("offline, what is known is shown and nothing can be changed", async () => {
  const developers = { ...PAGE, keys: [KEY], endpoints: [ENDPOINT] };
  open(developers, undefined, { offline: true, known: { developers } });
  expect(await screen.findByText(/Sans connexion/)).toBeTruthy();
  expect(screen.getByText("Mon site")).toBeTruthy();
  expect(screen.queryByText("Ajouter une adresse")).toBeNull();
});
