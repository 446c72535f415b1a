import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { NoticeReading } from "../port.ts";
import { createKkiapay } from "./index.ts";

const apiRoot = "http://nobody.invalid";
const bytes = (body: string) => Buffer.from(body);
const REFUSED: NoticeReading = { trusted: false };
const widget = { publicKey: "pk_1", widgetUrl: "https://cdn.example/w.js" };

describe("KkiaPay's notice", () => {
  const webhookSecret = "a-webhook-secret";
  const kkiapay = createKkiapay({
    privateKey: "p",
    secretKey: "s",
    webhookSecret,
    sandbox: false,
    apiRoot,
    ...widget,
  });
  const read = (body: string, header: string | string[] | undefined = webhookSecret) =>
    kkiapay.readNotice({ "x-kkiapay-secret": header }, bytes(body));
  const heard = {
    trusted: true,
    providerPaymentId: "17-2",
    heard: { reference: "17-2", transactionId: "AbC1" },
  };

  test("is read as it was recorded, our reference being JSON in it and their partner empty", () => {
    const file = new URL("./recorded/answers.json", import.meta.url);
    const recorded = JSON.stringify(JSON.parse(readFileSync(file, "utf8"))["notice"]);
    expect(read(recorded)).toMatchObject({ heard: { transactionId: "AbCdEf123" } });
    expect(read(recorded)).toMatchObject({ providerPaymentId: "17-2" });
  });

  test.each([
    { stateData: "17-2", partnerId: "" },
    { stateData: '"17-2"', partnerId: null },
    { stateData: '{"reference":"17-2"}' },
    { stateData: { reference: "17-2" }, partnerId: "18" },
    { stateData: null, partnerId: "17-2" },
    { stateData: {}, partnerId: "17-2" },
    { partnerId: "17-2", event: "moon.landed" },
  ])("gives their name for ours: %j", (said) => {
    expect(read(JSON.stringify({ transactionId: "AbC1", ...said }))).toEqual(heard);
  });

  test("that does not name both is acknowledged, and asks nothing", () => {
    for (const said of [
      { transactionId: "AbC1" },
      { stateData: "17-2" },
      { transactionId: "a b", stateData: "17-2" },
      { transactionId: "AbC1", stateData: "a b" },
      null,
      [],
    ]) {
      expect(read(JSON.stringify(said))).toEqual({
        trusted: true,
        providerPaymentId: null,
        heard: null,
      });
    }
    expect(read("no json")).toMatchObject({ trusted: true, providerPaymentId: null });
  });

  test("is refused without the very secret", () => {
    const body = JSON.stringify({ transactionId: "AbC1", stateData: "17-2" });
    const wrong = [undefined, "", "another", `${webhookSecret} `, webhookSecret.toUpperCase()];
    for (const header of [...wrong, [webhookSecret, webhookSecret], [webhookSecret]]) {
      expect(kkiapay.readNotice({ "x-kkiapay-secret": header }, bytes(body))).toEqual(REFUSED);
    }
    const unset = createKkiapay({
      privateKey: "p",
      secretKey: "s",
      webhookSecret: "",
      sandbox: false,
      apiRoot,
      ...widget,
    });
    expect(unset.readNotice({ "x-kkiapay-secret": "" }, bytes(body))).toEqual(REFUSED);
  });

  test("of any shape throws nothing", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(read(JSON.stringify(value)).trusted).toBe(true);
        read(JSON.stringify({ transactionId: "a", stateData: value }));
        read(JSON.stringify({ transactionId: "a", stateData: JSON.stringify(value) }));
      }),
    );
  });
});
