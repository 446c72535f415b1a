import { type PaymentProviderOnWire, PAYMENT_PROVIDERS } from "@sesame/contract/checkout";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { sayMethods } from "../../lib/format.ts";
import { ComplaintSheet } from "./complaint-sheet.tsx";
import { DonationSheet } from "./donation-sheet.tsx";
import { type PaymentChoice, PaymentSheet } from "./payment-sheet.tsx";
import { ReportSheet } from "./report-sheet.tsx";

const { moneroo, fedapay, cryptopay, stars } = PAYMENT_PROVIDERS;

function open(
  providers: readonly PaymentProviderOnWire[],
  complaint: string | null = null,
  tried: readonly string[] = [],
) {
  const paid: PaymentChoice[] = [];
  const sheet = (list: readonly PaymentProviderOnWire[]) => (
    <PaymentSheet
      amount={5_000}
      providers={list}
      tried={tried}
      state={{ at: "choosing", complaint }}
      onPay={(choice) => paid.push(choice)}
      onClose={() => {}}
    />
  );
  const { rerender } = render(sheet(providers));
  return { paid, show: (list: readonly PaymentProviderOnWire[]) => rerender(sheet(list)) };
}

const alert = () => screen.getByRole("alert").textContent;
const write = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const pay = () => fireEvent.click(screen.getByRole("button", { name: /^Payer/ }));
const choose = (name: RegExp) => fireEvent.click(screen.getByRole("radio", { name }));

test("among several ways none is chosen for the buyer, and a sentence asks him to choose", () => {
  const { paid } = open([moneroo, fedapay]);
  pay();
  expect(alert()).toBe("Veuillez sélectionner une méthode de paiement");
  choose(/FedaPay/);
  expect(alert()).toBe("");
  pay();
  expect(paid).toEqual([{ provider: "fedapay", email: "", phone: "" }]);
});

test("the only way is chosen already", () => {
  const { paid } = open([moneroo]);
  pay();
  expect(paid.map(({ provider }) => provider)).toEqual(["moneroo"]);
});

test("a disturbed provider says so and stands after the others", () => {
  open([{ ...moneroo, disturbed: true }, fedapay]);
  const rows = screen.getAllByRole("radio").map((input) => input.closest("label")?.textContent);
  expect(rows[0]).toContain("FedaPay");
  expect(rows[0]).not.toContain("Perturbé en ce moment");
  expect(rows[1]).toContain("MonerooPerturbé en ce moment");
});

/** Each way on the sheet, and whether it waits under other providers. */
const rows = () =>
  screen.getAllByRole("radio", { hidden: true }).map((input) => ({
    provider: input.getAttribute("value"),
    ways: input.closest("label")?.querySelector("strong")?.textContent,
    folded: input.closest("details") !== null,
  }));

test("an operator is read once; who takes only what stands above waits under other providers", () => {
  const { moneroo, fedapay, kkiapay, paydunya } = PAYMENT_PROVIDERS;
  const { paid } = open([moneroo, fedapay, kkiapay, { ...paydunya, disturbed: true }, stars]);
  const shown = rows();
  expect(shown.map(({ provider, folded }) => [provider, folded])).toEqual([
    ["moneroo", false],
    ["fedapay", false],
    ["stars", false],
    ["kkiapay", true],
    ["paydunya", true],
  ]);
  expect(shown[1]?.ways).toBe("Celtiis, Carte");
  expect(shown[3]?.ways).toBe(kkiapay.methods.join(", "));
  fireEvent.click(screen.getByText("Payer par un autre prestataire"));
  choose(/KkiaPay/);
  pay();
  expect(paid.map(({ provider }) => provider)).toEqual(["kkiapay"]);
});

test("a provider that failed for this order comes last, and the next one reads all it takes", () => {
  open([moneroo, fedapay], null, ["moneroo"]);
  const [first, second] = rows();
  expect([first?.provider, first?.ways]).toEqual(["fedapay", sayMethods(fedapay.methods)]);
  expect(second?.provider).toBe("moneroo");
});

test("people read the operators before who takes their money, and Stars and crypto by name", () => {
  open([fedapay, cryptopay, stars]);
  const names = screen.getAllByRole("radio").map((input) => {
    const words = input.closest("label")?.querySelectorAll("strong, small");
    return [...(words ?? [])].map(({ textContent: text }) => text);
  });
  expect(names).toEqual([
    ["MTN MoMo, Moov Money, Celtiis, T-\u2060Money, Orange Money, Wave, Carte", "FedaPay"],
    ["Crypto", "USDT, TON, BTC, ETH"],
    ["Telegram Stars", ""],
  ]);
  expect(document.querySelectorAll("label svg")).toHaveLength(2);
});

test("a price in another currency is shown beside its provider, and on the button that pays it", () => {
  open([{ ...stars, quote: { currency: "XTR", amount: "625", label: "⭐ 625" } }]);
  expect(screen.getByText("⭐ 625")).toBeTruthy();
  screen.getByRole("button", { name: "Payer ⭐ 625" });
});

test("only what the provider takes of its payer is asked for and sent", () => {
  const { paid } = open([fedapay, stars]);
  expect(screen.queryByRole("textbox")).toBeNull();
  choose(/FedaPay/);
  write("Adresse e-mail (facultatif)", " koffi@example.com ");
  write("Téléphone (facultatif)", "0701020304");
  pay();
  choose(/Stars/);
  expect(screen.queryByLabelText("Adresse e-mail (facultatif)")).toBeNull();
  pay();
  expect(paid).toEqual([
    { provider: "fedapay", email: "koffi@example.com", phone: "0701020304" },
    { provider: "stars", email: "", phone: "" },
  ]);
});

test("a way that has closed meanwhile is not paid by", () => {
  const { paid, show } = open([moneroo, fedapay, stars]);
  choose(/FedaPay/);
  show([moneroo, stars]);
  pay();
  expect(paid).toEqual([]);
  expect(alert()).toBe("Méthode de paiement non trouvée. Veuillez réessayer.");
});

describe("the choice of an amount", () => {
  function open(): number[] {
    const chosen: number[] = [];
    render(
      <DonationSheet
        minimum={500}
        suggestions={[1_000, 5_000]}
        onChoose={(amount) => chosen.push(amount)}
        onClose={() => {}}
      />,
    );
    return chosen;
  }
  const goOn = () => fireEvent.click(screen.getByRole("button", { name: /^(Donner|Continuer)/ }));

  test("is one of what is proposed", () => {
    const chosen = open();
    goOn();
    expect(alert()).toMatch(/choisir ou saisir/);
    fireEvent.click(screen.getByLabelText(/5.000/));
    goOn();
    expect(chosen).toEqual([5_000]);
  });

  test("is one's own, from the minimum to a million", () => {
    const chosen = open();
    for (const wrong of ["499", "1000001"]) {
      write("Autre montant", wrong);
      goOn();
      expect(alert()).toMatch(/minimum|maximum/);
    }
    write("Autre montant", "1 750");
    goOn();
    expect(chosen).toEqual([1_750]);
  });
});

type Report = { motif: string; message: string };

function openReport(answer: (report: Report) => Promise<string>): Report[] {
  const sent: Report[] = [];
  const send = (report: Report) => {
    sent.push(report);
    return answer(report);
  };
  render(<ReportSheet send={send} onClose={() => {}} />);
  return sent;
}

const report = () => {
  fireEvent.click(screen.getByLabelText("Autre motif"));
  write("Ce qui ne va pas", "Copie");
  fireEvent.click(screen.getByRole("button", { name: "Envoyer le signalement" }));
};

test("a report is sent with its reason and words, and its answer is said", async () => {
  const sent = openReport(async () => "Merci.");
  report();
  expect((await screen.findByRole("status")).textContent).toBe("Merci.");
  expect(sent).toEqual([{ motif: "other", message: "Copie" }]);
  expect(screen.queryByRole("button", { name: "Envoyer le signalement" })).toBeNull();
});

test("a refusal is said in the server's words, and what was written stays", async () => {
  openReport(async () => {
    throw new Error("Veuillez choisir le motif du signalement.");
  });
  report();
  expect(await screen.findByText("Veuillez choisir le motif du signalement.")).toBeTruthy();
  expect((screen.getByLabelText("Ce qui ne va pas") as HTMLTextAreaElement).value).toBe("Copie");
});

test("a complaint of the kind « autre » asks for words, and says so when the server wants them", async () => {
  const refuse = async () => {
    throw new Error("Écrivez quelques mots (minimum 3 caractères).");
  };
  render(<ComplaintSheet kinds={["no-access", "other"]} send={refuse} onClose={() => {}} />);
  screen.getByLabelText("Précisions (facultatif)");
  fireEvent.click(screen.getByRole("radio", { name: "Autre problème avec cet achat" }));
  screen.getByLabelText("Dites ce qui ne va pas");
  fireEvent.click(screen.getByRole("button", { name: "Envoyer la réclamation" }));
  await screen.findByText("Écrivez quelques mots (minimum 3 caractères).");
});

test("a complaint of one kind says its reason and asks for no choice", async () => {
  const sent: Report[] = [];
  const send = async (report: Report) => void sent.push(report);
  render(<ComplaintSheet kinds={["paid-not-confirmed"]} send={send} onClose={() => {}} />);
  screen.getByRole("dialog", { name: "J'ai payé, mais ce n'est pas confirmé" });
  expect(screen.queryByRole("radio")).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Envoyer la réclamation" }));
  await waitFor(() => expect(sent).toEqual([{ motif: "paid-not-confirmed", message: "" }]));
});
