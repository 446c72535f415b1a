import { describe, expect, test } from "vitest";
import { exampleProduct } from "../../testing/wire-examples.ts";
import { donationBody, donationFormOf, donationLack, NEW_DONATION } from "./donations.tsx";

const FILLED = { ...NEW_DONATION, title: "Un café" };

describe("the form of a don", () => {
  test("needs a title and a minimum, and no image", () => {
    expect(donationLack(NEW_DONATION)).toBe("Il manque : titre");
    expect(donationLack(FILLED)).toBeNull();
    expect(donationLack({ ...FILLED, title: " ", minimum: "" })).toBe(
      "Il manque : titre, montant minimum",
    );
  });

  test.each([
    [{ minimum: "99" }, /minimum/],
    [{ minimum: "500.5" }, /minimum/],
    [{ message: "a".repeat(501) }, /500 caractères au plus/],
    [{ minimum: "1500" }, /Un montant proposé/],
    [{ suggestions: "2000000" }, /Un montant proposé/],
  ])("says what is wrong with %o", (part, words) => {
    expect(donationLack({ ...FILLED, ...part })).toMatch(words);
  });

  test("sends its kind once, and only amounts that were filled in", () => {
    const body = donationBody({ ...FILLED, suggestions: "1000,,2000,5000," }, null, true);
    expect(Object.fromEntries(body)).toMatchObject({
      kind: "donation",
      title: "Un café",
      price: "500",
      suggestions: "1000,2000,5000",
    });
    expect(donationBody(FILLED, null, false).has("kind")).toBe(false);
  });

  test("is filled from the don that is edited", () => {
    const don = exampleProduct({ price: 300, suggestions: [400, 900], description: "Merci" });
    expect(donationFormOf(don)).toEqual({
      title: don.title,
      message: "Merci",
      minimum: "300",
      suggestions: "400,900",
    });
  });
});
