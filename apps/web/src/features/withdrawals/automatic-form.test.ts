import { describe, expect, test } from "vitest";
import { RequestError } from "../../lib/request.ts";
import { exampleLimits, examplePayoutSettings } from "../../testing/money-examples.ts";
import { automaticBody, automaticFormOf } from "./automatic-payout.tsx";
import { complaintOf } from "./fields.tsx";

describe("the configuration of the automatic payout", () => {
  test("sends what was typed, and no field that does not apply", () => {
    const form = {
      frequency: "hebdomadaire",
      threshold: "25000",
      method: "mtn-benin",
      phone: "97 00 00 01",
      whatsapp: "",
    };
    const weekly = {
      retrait_auto: true,
      payment_method: "mtn-benin",
      transfer_number: "97 00 00 01",
      whatsapp_number: "",
      frequence: "hebdomadaire",
    };
    expect(automaticBody(form)).toEqual(weekly);
    const byThreshold = { ...weekly, frequence: "seuil", seuil: "25000" };
    expect(automaticBody({ ...form, frequency: "seuil" })).toEqual(byThreshold);
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
    const of = (code: string) => complaintOf(said(code), "").field;
    expect(of("withdrawals.threshold-invalid")).toBe("threshold");
    expect(of("withdrawals.phone-wrong-operator")).toBe("phone");
    expect(of("withdrawals.automatic-phone-invalid")).toBe("phone");
    expect(of("withdrawals.whatsapp-invalid")).toBe("whatsapp");
    expect(of("withdrawals.method-missing")).toBe("method");
    expect(of("withdrawals.frequency-unknown")).toBe("frequency");
    expect(of("withdrawals.frequency-premium")).toBe("frequency");
    expect(of("withdrawals.payouts-frozen")).toBeNull();
    expect(complaintOf(new RequestError("", { status: 500, code: "" }), "Erreur").message).toBe(
      "Erreur",
    );
  });
});
