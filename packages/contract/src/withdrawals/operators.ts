/** Drawn by the app itself: letters on the brand's colour, no image from elsewhere. */
export type OperatorBrand = {
  readonly name: string;
  readonly letters: string;
  readonly background: string;
  readonly ink: string;
};

const BRANDS = {
  ORANGE: { name: "Orange Money", letters: "OM", background: "#ff7900", ink: "#000000" },
  MTN: { name: "MTN", letters: "MTN", background: "#ffcc00", ink: "#000000" },
  MOOV: { name: "Moov", letters: "Mv", background: "#0058a3", ink: "#ffffff" },
  WAVE: { name: "Wave", letters: "W", background: "#1dc8ff", ink: "#000000" },
  FREE: { name: "Free Money", letters: "F", background: "#c8102e", ink: "#ffffff" },
  EXPRESSO: { name: "Expresso", letters: "E", background: "#5b2c86", ink: "#ffffff" },
  TMONEY: { name: "T-Money", letters: "T", background: "#ffd100", ink: "#000000" },
} as const satisfies Readonly<Record<string, OperatorBrand>>;

export type PayoutOperator = keyof typeof BRANDS;

export const OPERATOR_BRANDS: Readonly<Record<PayoutOperator, OperatorBrand>> = BRANDS;
export const PAYOUT_OPERATORS = Object.keys(BRANDS) as readonly PayoutOperator[];
