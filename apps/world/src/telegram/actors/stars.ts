import { MINUTE_MS } from "@sesame/kernel";
import type { InvoiceView } from "../../wire.ts";
import { NotPossible } from "../api-error.ts";
import { invoiceOf } from "../stars/stars.ts";
import { invoiceSlug } from "../stars/links.ts";
import { botById, personById, type Town } from "../town.ts";
import type { Actors } from "./actors.ts";

const JUST_NOW_MS = MINUTE_MS;

/** What people do with what they are asked to pay in Stars. */
export function starActors(town: Town) {
  return {
    previewInvoice: ({ personId, link }) => invoiceView(town, personId, slugOf(link)),
    backToTelegram({ personId }) {
      const sinceMs = town.clock.now().getTime() - JUST_NOW_MS;
      const asked = [...town.state.stars.invoices.values()].findLast(
        ({ status, createdAtMs }) => status === "pending" && createdAtMs > sinceMs,
      );
      return { invoice: asked === undefined ? null : invoiceView(town, personId, asked.slug) };
    },
    payInvoice: ({ personId, link }) => town.stars.pay(personId, slugOf(link)),
    cancelInvoice({ personId, link }) {
      personById(town, personId);
      const invoice = invoiceOf(town, slugOf(link));
      const { attempts } = town.state.stars;
      const waiting = [...attempts.values()].some(({ slug }) => slug === invoice.slug);
      const unpaid = invoice.status === "pending" || invoice.status === "failed";
      if (unpaid && !waiting) invoice.status = "cancelled";
      town.changed();
      return null;
    },
  } satisfies Partial<Actors>;
}

function slugOf(link: string): string {
  const slug = invoiceSlug(link);
  if (slug === null) throw new NotPossible("not an invoice");
  return slug;
}

export function invoiceView(town: Town, personId: number, slug: string): InvoiceView {
  const person = personById(town, personId);
  const invoice = invoiceOf(town, slug);
  const { title, description, amount, photoUrl, subscriptionPeriod } = invoice;
  const bot = botById(town, invoice.botId);
  return {
    slug,
    bot: bot?.roles[0] ?? "buyer",
    botName: bot?.name ?? "",
    title,
    description,
    amount,
    photoUrl,
    recurring: subscriptionPeriod !== null,
    stars: town.stars.wallet(person.id),
  };
}
