import { beforeEach, expect, test, vi } from "vitest";
import { eventually } from "../../../../tools/testing/eventually.ts";
import { answerCalls, type Asked, ok } from "../testing/web-server.ts";
import type { WidgetPayment } from "./entry.ts";

const SECRET = "s3cr3t_of-the-return-address";

const PAYMENT: WidgetPayment = {
  kind: "kkiapay",
  scriptUrl: "https://cdn.kkiapay.me/k.js",
  publicKey: "public",
  sandbox: false,
  amount: 5_000,
  reference: "12-2",
  transactionId: null,
  customer: { email: "k@example.com", firstName: "Koffi", lastName: "Yao", phone: null },
  title: "Cercle du matin",
};

type Listener = (answer?: unknown) => void;

let left: string[];
let calls: Asked[];
/** Where the page stood when somebody else's script was asked for. */
let askedAt: string[];
let scripts: HTMLScriptElement[];

beforeEach(() => {
  vi.resetModules();
  left = [];
  askedAt = [];
  scripts = [];
  calls = answerCalls(() => ok({}));
  vi.spyOn(location, "replace").mockImplementation((url) => void left.push(String(url)));
  vi.spyOn(document.head, "append").mockImplementation((...nodes) => {
    for (const node of nodes) {
      if (!(node instanceof HTMLScriptElement)) continue;
      scripts.push(node);
      askedAt.push(location.href);
    }
  });
});

async function open(path: string, payment: WidgetPayment | null): Promise<void> {
  history.replaceState(null, "", path);
  document.body.innerHTML = `<p data-said=""></p><button data-pay="" disabled>Payer</button>${
    payment ? `<script type="application/json" id="sesame-payment"></script>` : ""
  }`;
  const written = document.getElementById("sesame-payment");
  if (written) written.textContent = JSON.stringify(payment);
  await import("./entry.ts");
}

const button = () => document.querySelector<HTMLButtonElement>("[data-pay]");
const said = () => document.querySelector("[data-said]")?.textContent;
const loaded = () => scripts.at(-1)?.dispatchEvent(new Event("load"));

/** The page of a payment, its script there and its button tapped. */
async function pay(payment = PAYMENT): Promise<void> {
  await open(`/paiement/page/${SECRET}`, payment);
  loaded();
  button()?.click();
}

/** As k.js hangs its functions on the window. */
function kkiapay(): { opened: Record<string, unknown>[]; notify: Record<string, Listener> } {
  const opened: Record<string, unknown>[] = [];
  const notify: Record<string, Listener> = {};
  vi.stubGlobal("openKkiapayWidget", (options: Record<string, unknown>) => opened.push(options));
  for (const name of ["Success", "Failed", "Pending", "KkiapayClose"]) {
    vi.stubGlobal(`add${name}Listener`, (run: Listener) => {
      notify[name] = run;
    });
  }
  return { opened, notify };
}

test("the secret has left the address before the maker's script is asked for", async () => {
  await open(`/paiement/page/${SECRET}`, PAYMENT);
  expect(scripts.map(({ src }) => src)).toEqual([PAYMENT.scriptUrl]);
  expect(askedAt.join()).not.toContain(SECRET);
  expect(location.pathname).toBe("/paiement/page");
  expect(scripts[0]?.referrerPolicy).toBe("no-referrer");
});

test("what the widget says is passed on once as a report, and the true status is shown", async () => {
  const { opened, notify } = kkiapay();
  await pay();
  const options = { amount: 5_000, data: "12-2", partnerId: "12-2", key: "public" };
  expect(opened[0]).toMatchObject(options);
  expect(JSON.stringify(opened)).not.toContain(SECRET);
  notify["Failed"]?.({ transactionId: "t1" });
  expect(left).toEqual([]);
  notify["Success"]?.({ transactionId: "t2" });
  notify["KkiapayClose"]?.();
  await eventually(() => expect(left).toEqual([`/paiement/retour/${SECRET}`]));
  expect(calls.map(({ path, body }) => [path, body])).toEqual([
    [`/api/payments/${SECRET}/reported-transactions`, { transaction_id: "t1" }],
    [`/api/payments/${SECRET}/reported-transactions`, { transaction_id: "t2" }],
  ]);
});

test("a widget that is put away says nothing of the payment: its status is shown", async () => {
  const { notify } = kkiapay();
  await pay();
  notify["KkiapayClose"]?.();
  await eventually(() => expect(left).toEqual([`/paiement/retour/${SECRET}`]));
  expect(calls).toEqual([]);
});

test.each([[{ transactionId: { a: 1 } }], [{ transactionId: "<b>" }], [undefined], [{}]])(
  "a name that is none is not passed on: %j",
  async (answer) => {
    const { notify } = kkiapay();
    await pay();
    notify["Success"]?.(answer);
    await eventually(() => expect(left).toHaveLength(1));
    expect(calls).toEqual([]);
  },
);

test("FedaPay opens the transaction our server made, and its end is a report", async () => {
  const inits: { readonly onComplete: Listener }[] = [];
  const opening = vi.fn();
  vi.stubGlobal("FedaPay", {
    init: (options: { readonly onComplete: Listener }) => {
      inits.push(options);
      return { open: opening };
    },
  });
  await pay({ ...PAYMENT, kind: "fedapay", transactionId: "9" });
  expect(opening).toHaveBeenCalledOnce();
  expect(inits[0]).toMatchObject({
    public_key: "public",
    environment: "live",
    transaction: { id: 9 },
    customer: { email: "k@example.com", firstname: "Koffi", lastname: "Yao" },
  });
  expect(JSON.stringify(inits[0])).not.toContain("amount");
  inits[0]?.onComplete({ reason: "DIALOG DISMISSED", transaction: { id: 9 } });
  await eventually(() => expect(left).toEqual([`/paiement/retour/${SECRET}`]));
  expect(calls.map(({ body }) => body)).toEqual([{ transaction_id: "9" }]);
});

test("a script that does not come is said, and asked for again by a tap", async () => {
  await open(`/paiement/page/${SECRET}`, PAYMENT);
  scripts[0]?.dispatchEvent(new Event("error"));
  expect(said()).toMatch(/n'a pas pu être chargée/);
  expect(button()?.textContent).toBe("Réessayer");
  button()?.click();
  expect(scripts).toHaveLength(2);
  loaded();
  expect([button()?.textContent, said()]).toEqual(["Payer", ""]);
});

test("a script that is not theirs opens nothing, and says so", async () => {
  await pay();
  expect(said()).toMatch(/n'a pas pu être chargée/);
});

test("reloaded, the page goes back to where its payment is; without one it stays", async () => {
  await open("/paiement/page", null);
  expect(left).toEqual([]);
  sessionStorage.setItem("sesame.paying", SECRET);
  vi.resetModules();
  await open("/paiement/page", null);
  expect(left).toEqual([`/paiement/page/${SECRET}`]);
  // An unknown secret's page must not send itself round.
  vi.resetModules();
  await open(`/paiement/page/${SECRET}`, null);
  expect(left).toHaveLength(1);
});
