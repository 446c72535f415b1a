import { describe, expect, test } from "vitest";
import { exampleProduct } from "../../testing/wire-examples.ts";
import { bodyOf, EMPTY_FORM, formOf, KEEP_DURATION, lackOf, splitOf } from "./form.ts";

const filled = { ...EMPTY_FORM, title: "Accès VIP", price: "5000", duration: "4" };

describe("a new product's form", () => {
  test("names what is missing, in the specification's order", () => {
    expect(lackOf(EMPTY_FORM, false, "new")).toBe("Il manque : titre, prix, durée, image");
    expect(lackOf({ ...filled, title: "   " }, true, "new")).toBe("Il manque : titre");
  });

  test("is complete with title, price, duration and image", () => {
    expect(lackOf(filled, true, "new")).toBeNull();
    expect(lackOf(filled, false, "new")).toBe("Il manque : image");
  });

  test("stops at 500 characters of description, counted as people count", () => {
    expect(lackOf({ ...filled, description: "😀".repeat(500) }, true, "new")).toBeNull();
    expect(lackOf({ ...filled, description: "😀".repeat(501) }, true, "new")).toBe(
      "Description : 500 caractères au plus",
    );
  });

  test.each(["50", "99", "1000001", "12.5", "12,5"])("names the range of prices: %s", (price) => {
    expect(lackOf({ ...filled, price }, true, "new")).toMatch(/^Prix : De 100 à 1.000.000.FCFA/);
    expect(splitOf(price, 18)).toBeNull();
  });

  test("sends the specification's fields", () => {
    const image = new Blob(["x"], { type: "image/webp" });
    const body = bodyOf({ ...filled, title: "  Accès VIP ", price: "5 000" }, image, "1");
    expect(Object.fromEntries([...body].filter(([name]) => name !== "image"))).toEqual({
      group_id: "1",
      title: "Accès VIP",
      price: "5000",
      description: "",
      duration: "4",
      category: "other",
      stock: "",
    });
    expect(body.get("image")).toBeInstanceOf(Blob);
  });
});

describe("an edited product's form", () => {
  test("needs no image", () => {
    expect(lackOf(formOf(exampleProduct()), false, "edit")).toBeNull();
    expect(lackOf({ ...filled, duration: "" }, false, "edit")).toBe("Il manque : durée");
  });

  test("keeps a duration that is no longer offered by not sending one", () => {
    const form = formOf(exampleProduct({ duration_id: null }));
    expect(form.duration).toBe(KEEP_DURATION);
    expect(bodyOf(form, null, null).has("duration")).toBe(false);
    expect(bodyOf(form, null, null).has("group_id")).toBe(false);
  });
});

describe("what the seller receives", () => {
  test("is the price less 18 %, rounded down to the franc", () => {
    expect(splitOf("5000", 18)).toEqual({ net: 4_100, fee: 900 });
    expect(splitOf("5001", 18)).toEqual({ net: 4_101, fee: 900 });
  });

  test("follows the fee that the server answers, in hundredths too", () => {
    expect(splitOf("5000", 12.5)).toEqual({ net: 4_375, fee: 625 });
    expect(splitOf("5000", 0.29)).toEqual({ net: 4_986, fee: 14 });
  });

  test("is the whole price without a fee, and nothing while price or fee are unknown", () => {
    expect(splitOf("5000", 0)).toEqual({ net: 5_000, fee: 0 });
    expect(splitOf("", 18)).toBeNull();
    expect(splitOf("abc", 18)).toBeNull();
    expect(splitOf("5000", null)).toBeNull();
  });
});
