import type { NoticeBook } from "../notices/notice.ts";
import type { CryptopayKeys } from "../options.ts";
import type { MerchantBook } from "../payments/merchants.ts";
import type { AlteredPayment } from "../wire.ts";

/** All Crypto Pay knows; kept in the world's file. */
export type CryptopayState = NoticeBook & {
  /** By number. */
  invoices: Map<number, CryptoInvoice>;
  nextInvoiceId: number;
  nextUpdateId: number;
  merchants: MerchantBook<CryptopayKeys>;
};

export type CryptoInvoice = {
  id: number;
  /** The account, when it is not the app's. */
  account?: string;
  hash: string;
  currencyType: "crypto" | "fiat";
  /** The asset, or the fiat currency. */
  currency: string;
  /** As it was given. */
  amount: string;
  acceptedAssets: string[];
  description: string | null;
  hiddenMessage: string | null;
  paidButton: { name: string; url: string } | null;
  payload: string | null;
  allowComments: boolean;
  allowAnonymous: boolean;
  status: "active" | "paid" | "expired";
  createdAtMs: number;
  expiresAtMs: number | null;
  paid: Paid | null;
  told?: AlteredPayment;
};

export type Paid = {
  atMs: number;
  asset: string;
  amount: string;
  fee: string;
  /** Of the asset, in the fiat currency of the invoice; null for an invoice in an asset. */
  fiatRate: string | null;
  usdRate: string;
};

export function emptyCryptopay(): CryptopayState {
  return {
    invoices: new Map(),
    nextInvoiceId: 1_001,
    nextUpdateId: 1,
    merchants: new Map(),
    notices: [],
    nextNoticeId: 1,
  };
}
