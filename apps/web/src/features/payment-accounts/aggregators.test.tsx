import { PROVIDERS } from "@sesame/contract/checkout";
import { CAPABILITIES } from "@sesame/contract/plans";
import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { exampleMethod, exampleOwnKeys } from "../../testing/payment-examples.ts";
import { renderScreen } from "../../testing/screen.tsx";
import {
  type Answer,
  type Asked,
  answerCalls,
  ok,
  good,
  writes,
} from "../../testing/web-server.ts";
import { exampleUser } from "../../testing/wire-examples.ts";
import { ActivationMethode } from "./activation.tsx";
import { AjouterMethode } from "./add-method.tsx";
import { ModifierKey } from "./modify-key.tsx";
import {
  ConfigurerPaiement,
  CustomPaymentConfig,
  PaymentSheet,
  SuccesBottomSheetIndex,
} from "./sheets.tsx";

const PREMIUM = exampleUser({ type_plan: "payant", capabilities: [...CAPABILITIES] });
const FREE = exampleUser();
const KEY = "sk_live_0123456789abcdef";
const ADD_TO_GROUP = "https://t.me/sesame_bot?startgroup=x";

beforeEach(() => vi.stubGlobal("open", vi.fn()));
function serve(methods: ReturnType<typeof exampleMethod>[], put?: (asked: Asked) => Answer) {
  const aggregators = (["fedapay", "moneroo"] as const).map((key) => ({
    key,
    name: key === "fedapay" ? "FedaPay" : "Moneroo",
    description: "",
    apiUrl: "",
    countries: ["Bénin", "Togo"],
    open: true,
    requiredKeys: PROVIDERS[key].keys,
  }));
  return answerCalls((asked) => {
    if (asked.method !== "GET") return put?.(asked) ?? ok({});
    if (asked.path === "/api/payment-aggregators") return good({ aggregators });
    if (asked.path.startsWith("/api/user-aggregators/")) return good({ aggregators: methods });
    if (asked.path === "/api/bot/links") return ok({ group: ADD_TO_GROUP });
    if (asked.path !== "/api/payment-providers") return ok({});
    return good({ providers: [{ id: "fedapay", disturbed: true }] });
  });
}

function at(address: string): void {
  history.replaceState(null, "", address);
}

test("methods are switched on the server, and a disturbed one is marked", async () => {
  at("/ActivationMethode");
  const kkiapay = exampleMethod({ key: "kkiapay", name: "KkiaPay", isActive: false });
  const log = serve([exampleMethod(), kkiapay], () =>
    good({ aggregator: { ...kkiapay, isActive: true } }),
  );
  renderScreen(<ActivationMethode />, { known: { user: FREE } });
  const flip = await screen.findByRole("switch", { name: "Activer KkiaPay", checked: false });
  expect(await screen.findByText("Perturbé")).toBeTruthy();
  const listed = (name: string) =>
    screen.getByRole("heading", { name }).parentElement?.parentElement?.textContent;
  expect(listed("Méthodes actives")).toContain("FedaPay");
  expect(listed("Méthodes inactives")).toContain("KkiaPay");
  fireEvent.click(flip);
  await screen.findByRole("switch", { name: "Activer KkiaPay", checked: true });
  expect(writes(log).map(({ path, body }) => [path, body])).toEqual([
    ["/api/user-aggregators/7/kkiapay", { isActive: true }],
  ]);
});

test("on the free plan own keys open the gate, and nothing is sent", async () => {
  at("/AjouterMethode?nom=fedapay");
  const log = serve([exampleMethod()]);
  renderScreen(<AjouterMethode />, { known: { user: FREE } });
  fireEvent.change(await screen.findByLabelText(/^Clé secrète/), { target: { value: KEY } });
  fireEvent.click(screen.getByRole("button", { name: "Enregistrer" }));
  const gate = within(await screen.findByRole("dialog", { name: "Fonctionnalité Premium" }));
  fireEvent.click(gate.getByRole("button", { name: "Voir les plans" }));
  expect(location.pathname).toBe("/Plans");
  expect(writes(log)).toEqual([]);
});

test("keys are named before they are sent, and a refusal is said beside them", async () => {
  at("/AjouterMethode?nom=FedaPay&key=sk_live_of_an_old_link");
  let answer: Answer = { status: 422, body: { message: "Configuration incomplète pour FedaPay" } };
  const log = serve([exampleMethod()], () => answer);
  renderScreen(<AjouterMethode />, { known: { user: PREMIUM } });
  const save = await screen.findByRole("button", { name: "Enregistrer" });
  screen.getByText("Vos acheteurs paient depuis : Bénin, Togo.");
  fireEvent.click(save);
  expect(screen.getByText("Configuration incomplète pour FedaPay")).toBeTruthy();
  expect(writes(log)).toEqual([]);
  const field = screen.getByLabelText(/^Clé secrète/) as HTMLInputElement;
  expect([field.type, field.value]).toEqual(["password", ""]);
  fireEvent.change(field, { target: { value: ` ${KEY} ` } });
  fireEvent.click(save);
  expect(await screen.findByText("Configuration incomplète pour FedaPay")).toBeTruthy();
  answer = good({ aggregator: exampleMethod() });
  fireEvent.click(save);
  await waitFor(() => expect(location.pathname).toBe("/SuccesBottomSheetIndex"));
  expect(writes(log).at(-1)?.body).toEqual({ keys: { secretKey: KEY } });
  expect(location.href).not.toContain("sk_live");
});

test("saved keys show masked with the address to give, and a trial follows its order", async () => {
  at("/ModifierKey?nom=fedapay");
  const mine = exampleMethod({ selling: "own", own: exampleOwnKeys });
  const log = serve([mine], () => ({
    status: 201,
    body: { success: true, id: "31", payment_url: "https://pay.example/31", opens: "page" },
  }));
  renderScreen(<ModifierKey />, { known: { user: PREMIUM } });
  expect(await screen.findByText("sk_live_…1234")).toBeTruthy();
  // What is masked is worth no copy: the address is what a seller hands on.
  const copied = screen.getAllByRole("button", { name: /Copier/ });
  expect(copied.map(({ textContent }) => textContent)).toEqual([
    "https://sesame.example/webhooks/fedapay/a1b2Copier",
  ]);
  screen.getByRole("button", { name: "Enregistrer les nouvelles clés" });
  expect(screen.getByText("https://sesame.example/webhooks/fedapay/a1b2")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Essayer avec 100 FCFA" }));
  await waitFor(() => expect(location.search).toBe("?paymentId=31&app=vendeur"));
  expect(writes(log)[0]?.path).toBe("/api/user-aggregators/7/fedapay/trial");
});

test("Moneroo's sheet, under its old name, says that it is done in place, and leaves after 2 s", async () => {
  at("/AjouterMethode?nom=monero");
  serve([exampleMethod()], () =>
    good({ aggregator: exampleMethod({ key: "moneroo", name: "Moneroo" }) }),
  );
  renderScreen(<AjouterMethode />, { known: { user: PREMIUM } });
  fireEvent.change(await screen.findByLabelText(/^Clé secrète/), { target: { value: KEY } });
  vi.useFakeTimers({ shouldAdvanceTime: true });
  fireEvent.click(screen.getByRole("button", { name: "Enregistrer" }));
  expect(await screen.findByRole("dialog", { name: "Parfait !" })).toBeTruthy();
  await act(() => vi.advanceTimersByTimeAsync(2_100));
  await waitFor(() => expect(location.pathname).toBe("/PaymentsSheetsIndex"));
});

test("the success sheet leads to the bot's link for a group, or to one more method", async () => {
  serve([exampleMethod()]);
  at("/SuccesBottomSheetIndex?nom=fedapay");
  renderScreen(<SuccesBottomSheetIndex />, { known: { user: PREMIUM } });
  // Tapped before the link has come, the button only leads on.
  await waitFor(() => {
    fireEvent.click(screen.getByRole("button", { name: "Ajouter un groupe ou un canal" }));
    expect(window.open).toHaveBeenCalledWith(ADD_TO_GROUP, "_blank", "noopener");
  });
  expect(location.pathname).toBe("/GroupeListe");
  fireEvent.click(screen.getByRole("link", { name: "Ajouter un autre moyen de paiement" }));
  expect(location.pathname).toBe("/AjouterMethode");
});

test.each([
  ["Ajouter une méthode", "/AjouterMethode"],
  ["Activer ou désactiver", "/ActivationMethode"],
  ["Fermer", "/PaymentsSheetsIndex"],
])("on the sheet of methods « %s » leads to %s", async (name, path) => {
  at("/PaymentSheet");
  serve([exampleMethod()]);
  renderScreen(<PaymentSheet />, { known: { user: PREMIUM } });
  const sheet = within(await screen.findByRole("dialog", { name: "Moyens de paiement" }));
  fireEvent.click(sheet.getByText(name));
  expect(location.pathname).toBe(path);
});

test.each([
  ["/CustomPaymentConfig", CustomPaymentConfig],
  ["/ConfigurerPaiement", ConfigurerPaiement],
] as const)("on %s one configures now, or later", (path, Screen) => {
  serve([]);
  for (const [name, to] of [
    ["Configurer maintenant", "/AjouterMethode"],
    ["Plus tard", "/PaymentsSheetsIndex"],
  ] as const) {
    at(path);
    renderScreen(<Screen />, { known: { user: PREMIUM } });
    fireEvent.click(screen.getByText(name));
    expect(location.pathname).toBe(to);
    cleanup();
  }
});
