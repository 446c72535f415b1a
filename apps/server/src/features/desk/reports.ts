import { REFERENCE_PATTERN } from "@sesame/contract/checkout";
import { type RegistryRefusal, REASON_CHARACTERS_MAX } from "@sesame/contract/desk";
import { addMs, DAY_MS, ok, type Result, refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { raiseRegistryAlert } from "./alerts.ts";
import { REPORT_REASONS } from "./messages.fr.ts";
import {
  countReports,
  findReportedProduct,
  hasReported,
  insertReport,
  type ReportedProduct,
} from "./reports.store.ts";

export type ReportRequest = {
  readonly personId: bigint;
  readonly body: {
    readonly reference?: unknown;
    readonly motif?: unknown;
    readonly message?: unknown;
  };
};

export type Reported = { readonly already: boolean };

const REPORTS_A_DAY = 10;

/** A buyer's word about a product (decision 99): once for each, an alert for all of them. */
export function report(
  { db, clock }: App,
  { personId, body }: ReportRequest,
): Promise<Result<Reported, RegistryRefusal>> {
  return db.transaction().execute(async (tx): Promise<Result<Reported, RegistryRefusal>> => {
    const { reference } = body;
    const sound = typeof reference === "string" && REFERENCE_PATTERN.test(reference);
    const product = sound ? await findReportedProduct(tx, reference) : null;
    if (!product) return refuse({ kind: "report.product-not-found" });
    if (product.seller_id === personId) return refuse({ kind: "report.own-product" });
    const said = readReport(body);
    if (!said.ok) return said;
    const now = clock.now();
    const today = await countReports(tx, personId, addMs(now, -DAY_MS));
    if (await hasReported(tx, { productId: product.id, personId })) return ok({ already: true });
    if (today >= REPORTS_A_DAY) return refuse({ kind: "report.too-many" });
    const report = { productId: product.id, personId, ...said.value };
    const counts = await insertReport(tx, report, now);
    await raiseRegistryAlert(tx, alertOf(product, { ...said.value, ...counts }), now);
    return ok({ already: false });
  });
}

type Said = { readonly code: string; readonly words: string | null };

function readReport({ motif, message }: ReportRequest["body"]): Result<Said, RegistryRefusal> {
  if (typeof motif !== "string" || !Object.hasOwn(REPORT_REASONS, motif)) {
    return refuse({ kind: "report.reason-unknown" });
  }
  const words = typeof message === "string" ? message.trim() : "";
  if (words === "" && motif === "other") return refuse({ kind: "report.message-missing" });
  if (words.length > REASON_CHARACTERS_MAX) return refuse({ kind: "report.message-too-long" });
  return ok({ code: motif, words: words === "" ? null : words });
}

function alertOf(product: ReportedProduct, said: Said & { reports: number; buyers: number }) {
  return {
    kind: "product.reported",
    subject: `product:${product.id}`,
    details: {
      reference: product.title,
      reports: said.reports,
      buyers: said.buyers,
      last_reason: REPORT_REASONS[said.code] ?? said.code,
      last_words: said.words,
    },
  } as const;
}
