import { textOf as textIn } from "@sesame/kernel";
import { asForm } from "../kit/calls.ts";
import { brokenRules, type Rule } from "../kit/form.ts";
import { ASSETS, assetOf, FIATS } from "./shapes.ts";

/** A refusal is thrown by name, from wherever it is found. */
export class CryptoRefusal extends Error {
  override name = "CryptoRefusal";
}

/** Parameters come as JSON, as a form or in the query: text stands for every kind. */
export function textOf(params: unknown, field: string): string | null {
  const value = asForm(params)[field];
  if (value === undefined || value === null || value === "") return null;
  if (typeof value === "object") return Array.isArray(value) ? value.join(",") : null;
  return textIn(value);
}

const MAX_EXPIRY_SECONDS = 2_678_400;
const BUTTONS = ["viewItem", "openChannel", "openBot", "callback"];

const codesOf = (text: string) => text.split(",").map((code) => code.trim());

/** A text in which this holds, or none at all. */
const either = (holds: (text: string) => boolean) => (text: unknown) =>
  typeof text !== "string" || holds(text);
const given = (text: unknown) => text !== null;

/** Of `createInvoice` (payment-providers.md §8.1), in the order in which they are looked at. */
function rulesOf(isFiat: boolean, hasButton: boolean): Rule[] {
  const isWholeUpTo = (max: number) => (text: string) => {
    const number = Number(text);
    return Number.isInteger(number) && number >= 1 && number <= max;
  };
  return [
    [
      "currency_type",
      either((type) => type === "crypto" || type === "fiat"),
      "CURRENCY_TYPE_INVALID",
    ],
    ...(isFiat
      ? ([
          ["fiat", given, "FIAT_REQUIRED"],
          ["fiat", either((code) => Object.hasOwn(FIATS, code)), "FIAT_UNSUPPORTED"],
        ] as const)
      : ([
          ["asset", given, "ASSET_REQUIRED"],
          ["asset", either((code) => assetOf(code) !== undefined), "ASSET_INVALID"],
        ] as const)),
    ["payload", either((text) => Buffer.byteLength(text) <= 4_096), "PAYLOAD_TOO_LONG"],
    ["amount", given, "AMOUNT_REQUIRED"],
    ["amount", either((text) => /^\d+(\.\d+)?$/.test(text)), "AMOUNT_INVALID"],
    ["amount", (text) => Number(text) > 0, "AMOUNT_TOO_SMALL"],
    ["accepted_assets", either(() => isFiat), "ACCEPTED_ASSETS_NOT_ALLOWED"],
    ["accepted_assets", either((text) => codesOf(text).every(assetOf)), "ACCEPTED_ASSETS_INVALID"],
    ["description", either((text) => text.length <= 1_024), "DESCRIPTION_TOO_LONG"],
    ["hidden_message", either((text) => text.length <= 2_048), "HIDDEN_MESSAGE_TOO_LONG"],
    ["paid_btn_name", either((name) => BUTTONS.includes(name)), "PAID_BTN_NAME_INVALID"],
    ["paid_btn_url", (url) => !hasButton || given(url), "PAID_BTN_URL_REQUIRED"],
    [
      "paid_btn_url",
      either((url) => !hasButton || (/^https?:\/\//.test(url) && URL.canParse(url))),
      "PAID_BTN_URL_INVALID",
    ],
    ["expires_in", either(isWholeUpTo(MAX_EXPIRY_SECONDS)), "EXPIRES_IN_INVALID"],
  ];
}

const FIELDS = ["currency_type", "fiat", "asset", "payload", "amount", "accepted_assets"];
const WORDS = ["description", "hidden_message", "paid_btn_name", "paid_btn_url", "expires_in"];

export function readInvoice(params: unknown) {
  const texts = Object.fromEntries(
    [...FIELDS, ...WORDS].map((name) => [name, textOf(params, name)]),
  );
  const isFiat = texts.currency_type === "fiat";
  const { paid_btn_name: name = null, paid_btn_url: url = null } = texts;
  const [wrong] = brokenRules(texts, rulesOf(isFiat, name !== null));
  if (wrong) throw new CryptoRefusal(wrong[2]);
  const isOn = (field: string) => ["true", "1"].includes(textOf(params, field) ?? "true");
  const everyAsset = isFiat ? ASSETS.map(({ code }) => code) : [];
  return {
    currencyType: isFiat ? ("fiat" as const) : ("crypto" as const),
    currency: (isFiat ? texts.fiat : texts.asset) ?? "",
    amount: texts.amount ?? "",
    acceptedAssets: texts.accepted_assets ? codesOf(texts.accepted_assets) : everyAsset,
    description: texts.description ?? "",
    hiddenMessage: texts.hidden_message ?? null,
    paidButton: name !== null && url !== null ? { name, url } : null,
    reference: texts.payload ?? null,
    allowComments: isOn("allow_comments"),
    allowAnonymous: isOn("allow_anonymous"),
    expiresInMs: texts.expires_in ? Number(texts.expires_in) * 1_000 : null,
  };
}
