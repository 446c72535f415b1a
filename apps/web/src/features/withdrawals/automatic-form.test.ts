import { describe, expect, test } from "vitest";
import { RequestError } from "../../lib/request.ts";
import { exampleLimits, examplePayoutSettings } from "../../testing/money-examples.ts";
import { automaticBody, automaticFormOf, complaintOfServer } from "./automatic-payout.tsx";

const settings = examplePayoutSettings({
  frequences: ["hebdomadaire", "quotidien", "seuil"],
  seuil_min: 1_000,
});
const good = {
  frequency: "hebdomadaire",
  threshold: "",
  method: "mtn-benin",
  phone: "97 00 00 01",
  whatsapp: "",
};

describe("the configuration of the automatic payout", () => {
  test("sends the number as the world writes it, and no field that does not apply", () => {
    expect(automaticBody(good, settings)).toEqual({
      ok: true,
      value: {
        retrait_auto: true,
        payment_method: "mtn-benin",
        transfer_number: "+2290197000001",
        frequence: "hebdomadaire",
      },
    });
  });

  test.each([
    [{ phone: "123", method: "" }, "phone", /numéro de transfert valide \(minimum 6 chiffres\)/],
    [{ method: "" }, "method", /sélectionner un mode de paiement/],
    [{ phone: "+221770000000" }, "phone", /numéro du Bénin/],
    [{ whatsapp: "12" }, "whatsapp", /WhatsApp valide/],
    [{ frequency: "seuil", threshold: "999" }, "threshold", /Le seuil doit être/],
  ])("with %j says what is wrong at %s", (part, field, message) => {
    const checked = automaticBody({ ...good, ...part }, settings);
    expect(checked).toMatchObject({ ok: false, refusal: { field } });
    expect(checked.ok ? "" : checked.refusal.message).toMatch(message);
  });

  test("starts from what is set, and never from a method that is closed", () => {
    const set = examplePayoutSettings({
      retraitAuto: { active: true, modePaiement: "wave-ci", numeroTransfert: "+2250701020304" },
      frequence: "quotidien",
    });
    const { methodes } = exampleLimits();
    const closed = methodes.map((each) => ({ ...each, ouvert: each.id !== "wave-ci" }));
    expect(automaticFormOf(set, exampleLimits())).toMatchObject({
      frequency: "hebdomadaire",
      method: "wave-ci",
      phone: "+225 07 01 02 03 04",
    });
    expect(automaticFormOf(set, exampleLimits({ methodes: closed })).method).toBe("");
  });

  test("puts the server's no where it belongs", () => {
    const said = (code: string) => new RequestError("Non.", { status: 422, code });
    const of = (code: string) => complaintOfServer(said(code), "").field;
    expect(of("withdrawals.threshold-invalid")).toBe("threshold");
    expect(of("withdrawals.phone-wrong-operator")).toBe("phone");
    expect(of("withdrawals.payouts-frozen")).toBeNull();
    expect(
      complaintOfServer(new RequestError("", { status: 500, code: "" }), "Erreur").message,
    ).toBe("Erreur");
  });
});
