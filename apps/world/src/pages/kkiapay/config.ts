import { textOf } from "@sesame/kernel";
/** What a page hands over, under whichever of its names. */
export type WidgetConfig = Record<string, unknown>;

const ALIASES: Record<string, string> = {
  phone: "phoneNumber",
  name: "fullname",
  paymentmethod: "paymentMethods",
  apikey: "key",
  api_key: "key",
  publicAPIKey: "key",
  successCallback: "callback",
  partnerid: "partnerId",
};

const METHODS = ["momo", "card", "direct_debit"];
const POSITIONS = ["left", "right", "center"];

/** One name for each thing and the types the frame expects. */
export function readConfig(given: WidgetConfig): WidgetConfig {
  const config: WidgetConfig = {};
  for (const [name, value] of Object.entries(given)) {
    const alias = ALIASES[name];
    // An alias without a value counts for nothing; with one it wins over the name itself.
    if (alias === undefined || !value) config[name] ??= value;
    else config[alias] = value;
  }
  if ("amount" in config) config.amount = Number(config.amount);
  if ("phoneNumber" in config) config.phoneNumber = textOf(config.phoneNumber);
  if ("sandbox" in config) config.sandbox = config.sandbox === true || config.sandbox === "true";
  if ("position" in config && !POSITIONS.includes(textOf(config.position))) {
    config.position = "center";
  }
  if ("countries" in config) config.countries = listOf(config.countries);
  if ("paymentMethods" in config) {
    const methods = listOf(config.paymentMethods);
    // One that is not known brings all of them back.
    config.paymentMethods = methods.every((one) => METHODS.includes(textOf(one)))
      ? methods
      : METHODS;
  }
  return config;
}

function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== "string") return [value];
  return value.includes(",") ? value.replaceAll(" ", "").split(",") : [value];
}

/** What may stand as an attribute of the element, or of the script's own tag. */
export const ATTRIBUTES = [
  "amount",
  "sandbox",
  "position",
  "theme",
  "paymentmethod",
  "paymentMethods",
  "providers",
  "fullname",
  "name",
  "email",
  "phoneNumber",
  "phone",
  "data",
  "key",
  "sdk",
  "url",
  "callback",
  "successCallback",
  "failed_callback",
  "buttontext",
  "direct",
  "split",
  "partnerid",
  "partnerId",
  "apikey",
  "api_key",
  "publicAPIKey",
  "countries",
];
