/** Moneroo's ways to pay in XOF (payment-providers.md §3.1), as its list shows them. */
type MonerooMethod = {
  code: string;
  name: string;
  countries: readonly string[];
  /** Card and crypto need no phone. */
  needsPhone: boolean;
};

export const COUNTRIES: Record<string, { name: string; dialCode: string }> = {
  BJ: { name: "Benin", dialCode: "+229" },
  BF: { name: "Burkina Faso", dialCode: "+226" },
  CI: { name: "Ivory Coast", dialCode: "+225" },
  ML: { name: "Mali", dialCode: "+223" },
  NE: { name: "Niger", dialCode: "+227" },
  SN: { name: "Senegal", dialCode: "+221" },
  TG: { name: "Togo", dialCode: "+228" },
};

export const PAYMENT_METHODS: readonly MonerooMethod[] = [
  mobile("orange_ci", "Orange Money CI", "CI"),
  mobile("mtn_ci", "MTN MoMo CI", "CI"),
  mobile("moov_ci", "Moov Money CI", "CI"),
  mobile("wave_ci", "Wave CI", "CI"),
  mobile("orange_sn", "Orange Money Senegal", "SN"),
  mobile("wave_sn", "Wave Senegal", "SN"),
  mobile("freemoney_sn", "Free Money Senegal", "SN"),
  mobile("e_money_sn", "E-Money Senegal", "SN"),
  mobile("wizall_sn", "Wizall Senegal", "SN"),
  mobile("mtn_bj", "MTN MoMo Benin", "BJ"),
  mobile("moov_bj", "Moov Money Benin", "BJ"),
  mobile("togocel", "Togocel Money", "TG"),
  mobile("moov_tg", "Moov Money Togo", "TG"),
  mobile("orange_ml", "Orange Money Mali", "ML"),
  mobile("moov_ml", "Moov Money Mali", "ML"),
  mobile("mobi_cash_ml", "Mobi Cash Mali", "ML"),
  mobile("orange_bf", "Orange Money Burkina Faso", "BF"),
  mobile("moov_bf", "Moov Money Burkina Faso", "BF"),
  mobile("airtel_ne", "Airtel Niger", "NE"),
  {
    code: "card_xof",
    name: "Card XOF",
    countries: ["CI", "BF", "TG", "BJ", "ML"],
    needsPhone: false,
  },
];

/** Where Moneroo pays out; Burkina Faso is not served. */
export const PAYOUT_METHODS: readonly MonerooMethod[] = PAYMENT_METHODS.filter((method) =>
  [
    "orange_ci",
    "mtn_ci",
    "moov_ci",
    "wave_ci",
    "orange_sn",
    "freemoney_sn",
    "e_money_sn",
    "wave_sn",
    "mtn_bj",
    "moov_bj",
    "togocel",
    "moov_tg",
    "orange_ml",
  ].includes(method.code),
);

function mobile(code: string, name: string, country: string): MonerooMethod {
  return { code, name, countries: [country], needsPhone: true };
}

export function methodItem(method: MonerooMethod, worldUrl: string): object {
  return {
    name: method.name,
    short_code: method.code,
    description: null,
    gateways: [],
    icon_url: iconUrl(worldUrl, method.code),
    is_enabled: true,
    fields: method.needsPhone ? [{ name: "phone", type: "phone", required: true }] : [],
    currency: { name: "CFA Franc BCEAO", code: "XOF", symbol: "XOF" },
    countries: method.countries.map((code) => ({ code, name: COUNTRIES[code]?.name ?? code })),
  };
}

export function iconUrl(worldUrl: string, code: string): string {
  return `${worldUrl}/moneroo/icons/${code}.svg`;
}
