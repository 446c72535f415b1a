import type { CheckoutMethod } from "../wire.ts";

export type Network = (typeof NETWORKS)[number];

/** By their two letters in ISO 3166: digits without `+`, and how many a number has after them. */
const COUNTRIES = {
  CI: { country: "Côte d'Ivoire", dial: "225", digits: 10 },
  SN: { country: "Sénégal", dial: "221", digits: 9 },
  BJ: { country: "Bénin", dial: "229", digits: 10 },
  TG: { country: "Togo", dial: "228", digits: 8 },
  ML: { country: "Mali", dial: "223", digits: 8 },
  BF: { country: "Burkina Faso", dial: "226", digits: 8 },
};

/** Benin's numbers had eight digits until the end of 2024; old ones still travel. */
const OLD_BENIN_DIGITS = 8;

/**
 * The fifteen networks that money can be sent by: PayDunya's `withdraw_mode` names the network in
 * every emulator, beside the names of the other two providers.
 */
export const NETWORKS = [
  ...inCountry("CI", [
    ["orange-money-ci", "Orange Money", "orange_ci", ["orange_ci"]],
    ["mtn-ci", "MTN MoMo", "mtn_ci", ["mtn_ci"]],
    ["moov-ci", "Moov Money", "moov_ci", ["moov_ci"]],
    ["wave-ci", "Wave", "wave_ci", ["wave_ci"]],
  ]),
  ...inCountry("SN", [
    ["orange-money-senegal", "Orange Money", "orange_sn", ["orange_sn"]],
    ["free-money-senegal", "Free Money", "freemoney_sn", ["free_sn"]],
    ["expresso-senegal", "E-Money", "e_money_sn", []],
    ["wave-senegal", "Wave", "wave_sn", ["wave_sn"]],
  ]),
  ...inCountry("BJ", [
    ["mtn-benin", "MTN MoMo", "mtn_bj", ["mtn_open", "mtn"]],
    ["moov-benin", "Moov Money", "moov_bj", ["moov"]],
  ]),
  ...inCountry("TG", [
    ["t-money-togo", "T-Money", "togocel", ["togocel"]],
    ["moov-togo", "Moov Money", "moov_tg", ["moov_tg"]],
  ]),
  ...inCountry("ML", [["orange-money-mali", "Orange Money", "orange_ml", ["orange_ml"]]]),
  ...inCountry("BF", [
    // FedaPay's is written with a hyphen in some public lists, with an underscore in others.
    ["orange-money-burkina", "Orange Money", null, ["orange-bf", "orange_bf"]],
    ["moov-burkina-faso", "Moov Money", null, ["moov_bf"]],
  ]),
];

/** Our id, the name people know, Moneroo's code (null: it does not pay out there), FedaPay's modes. */
type Row = [id: string, name: string, moneroo: string | null, fedapay: readonly string[]];

function inCountry(iso: keyof typeof COUNTRIES, rows: Row[]) {
  return rows.map(([id, name, moneroo, fedapay]) => ({
    id,
    name,
    iso,
    ...COUNTRIES[iso],
    moneroo,
    fedapay,
  }));
}

export function networkOf(id: string): Network | undefined {
  return NETWORKS.find((each) => each.id === id);
}

/** The full number, from one with or without its country's code; null for any other text. */
export function fullNumber(network: Network, given: string): string | null {
  const digits = given.replaceAll(/[\s.()-]/g, "");
  const code = `^(?:\\+|00)?${network.dial}`;
  const national = [digits, digits.replace(new RegExp(code), "")].find((one) =>
    isNational(network, one),
  );
  return national === undefined ? null : `+${network.dial}${national}`;
}

export function isNational({ iso, digits }: Network, number: string): boolean {
  const old = iso === "BJ" && number.length === OLD_BENIN_DIGITS;
  return /^\d+$/.test(number) && (number.length === digits || old);
}

/** The mobile money of these countries as a provider's page offers it; null: not served. */
export function networkMethods(codeOf: (network: Network) => string | null): CheckoutMethod[] {
  return NETWORKS.flatMap((network) => {
    const code = codeOf(network);
    if (code === null) return [];
    const { name, iso, dial } = network;
    return [{ code, name, country: iso, dialCode: `+${dial}` }];
  });
}
