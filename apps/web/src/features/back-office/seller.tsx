import type { StaffSellerOnWire } from "@sesame/contract/back-office";
import { groupPhone } from "@sesame/contract/withdrawals";
import { Avatar } from "../../kit/avatar.tsx";
import { Banners } from "../../kit/button.tsx";
import { Section, Stack } from "../../kit/layout.tsx";
import { Page, Screen } from "../../kit/screen.tsx";
import { FactGrid, type RecordOf, Records, Table } from "../../kit/record-list.tsx";
import { joined } from "../../kit/records.tsx";
import { act, Acts } from "../../kit/use-action.tsx";
import { formatDay, formatFcfa, formatNumber } from "../../lib/format.ts";
import { read } from "../../lib/read.ts";
import { sayShortInstant } from "../../lib/time-words.fr.ts";
import { names, quoted } from "./messages.fr.ts";
import { alertCard } from "./alerts.tsx";
import { sellerCopy as copy } from "./seller-messages.fr.ts";
import { FOUND } from "./search.tsx";
import { reason, useBackOffice } from "./use-staff.ts";

/** All that the back office knows of a seller, and what an operator may do. */
export function Seller({ id }: { id: string }) {
  return (
    <Screen
      of={read("GET /api/desk/sellers/:id", { params: { id }, pick: "seller" })}
      title={copy.title}
      missing={copy.missing}
      back={{ label: copy.toSearch, href: "/bureau/recherche" }}
    >
      {(seller) => <Shown seller={seller} />}
    </Screen>
  );
}

function Shown({ seller }: { seller: StaffSellerOnWire }) {
  const review = useUsualReview();
  // Those an operator may take now; an agent sees none (decision 99).
  const measures = MEASURES.filter((measure) => seller.may[measure].allowed);
  return (
    <Page
      title={seller.name}
      subtitle={copy.title}
      wide
      actions={<Avatar name={seller.name} photo={seller.photo_url} />}
    >
      <Standing seller={seller} />
      <Section>
        <FactGrid
          facts={[
            [copy.telegram, seller.username && `@${seller.username}`],
            [names.telegramId, String(seller.telegram_id)],
            [copy.plan, planOf(seller)],
            [copy.since, formatDay(seller.since)],
            [copy.whatsapp, seller.whatsapp_number],
            [names.country, seller.country],
          ]}
        />
      </Section>
      {measures.length > 0 ? (
        <Stack gap={2}>
          <Acts of={measures.map((measure) => takeMeasure(seller, measure, review))} />
        </Stack>
      ) : null}
      <Money seller={seller} />
      <Records heading={copy.alerts} of={seller.alerts.map(alertCard)} />
      <Section title={names.sales}>
        <FactGrid
          facts={[
            [copy.count, formatNumber(seller.sales.count)],
            [copy.accesses, formatNumber(seller.sales.running_accesses)],
            [copy.gross, formatFcfa(seller.sales.gross)],
            [copy.net, formatFcfa(seller.sales.net)],
          ]}
        />
      </Section>
      <Table
        title={copy.withdrawals}
        none={copy.none}
        rows={seller.withdrawals.map(FOUND.withdrawals)}
      />
      <Table
        title={copy.lastSales}
        none={copy.none}
        rows={seller.last_sales.map((each) => FOUND.orders({ ...each, seller: null }))}
      />
      <Records
        title={names.products}
        none={copy.none}
        of={seller.products.map((product) => productCard(product, review))}
      />
      <Table
        title={copy.groups}
        none={copy.none}
        rows={seller.groups.map((group) => ({
          id: group.id,
          title: group.title,
          facts: [[copy.membersColumn, group.members !== null && copy.members(group.members)]],
          mark: group.healthy ? ["positive", copy.healthy] : ["warning", copy.unhealthy],
        }))}
      />
      <Table
        title={copy.audit}
        rows={seller.audit.map((row) => ({
          id: String(row.seq),
          title: row.label,
          facts: [
            [names.at, sayShortInstant(row.at)],
            [names.by, row.actor?.name],
            [names.reason, row.reason],
          ],
        }))}
      />
    </Page>
  );
}

/** The restrictions on the seller now, with the reason the seller reads. */
function Standing({ seller }: { seller: StaffSellerOnWire }) {
  const { suspended, frozen, closed_at: closedAt } = seller;
  const say = (title: string, held: NonNullable<typeof suspended>) => (
    <>
      <strong>{title}</strong>
      <br />
      {held.reason ? `${quoted(held.reason)} ` : null}
      {copy.measure(formatDay(held.since), held.review_at ? formatDay(held.review_at) : null)}
    </>
  );
  return (
    <Banners
      of={[
        closedAt !== null && ["warning", "logout", copy.closedOn(formatDay(closedAt))],
        suspended && ["danger", "shield", say(names.suspended, suspended)],
        frozen && [
          "danger",
          "warning",
          say(frozen.by === "seller" ? copy.frozenBySeller : names.frozen, frozen),
        ],
      ]}
    />
  );
}

function planOf({ type_plan: plan, premium_until: until }: StaffSellerOnWire): string {
  if (plan === null) return copy.none;
  if (plan !== "payant") return names.free;
  return until ? copy.premiumUntil(formatDay(until)) : names.premium;
}

function Money({ seller }: { seller: StaffSellerOnWire }) {
  const { gratuit, payant } = seller.balances;
  const { payout, write_off: lost } = seller;
  const labels = new Map(useBackOffice()?.methods.map(({ id, label }) => [id, label]));
  const available = names.available.toLowerCase();
  const held = names.held.toLowerCase();
  return (
    <>
      <Section title={copy.money}>
        <FactGrid
          facts={[
            [`${copy.freeAccount}, ${available}`, formatFcfa(gratuit.available)],
            [`${copy.freeAccount}, ${held}`, formatFcfa(gratuit.held)],
            [`${copy.premiumAccount}, ${available}`, formatFcfa(payant.available)],
            [`${copy.premiumAccount}, ${held}`, formatFcfa(payant.held)],
            [copy.owed, seller.owed > 0 && formatFcfa(seller.owed)],
            [
              copy.writeOff,
              lost && copy.writeOffBy(lost.by, formatFcfa(lost.amount), formatDay(lost.since)),
            ],
            [
              copy.method,
              (payout.method && (labels.get(payout.method) ?? payout.method)) ?? copy.none,
            ],
            [names.number, payout.phone ? groupPhone(payout.phone) : copy.none],
            [names.automatic, payout.automatic ? copy.yes : copy.no],
            [copy.numberChanged, payout.number_changed_at && formatDay(payout.number_changed_at)],
          ]}
        />
      </Section>
      <Table
        rows={seller.holds.map((hold) => ({
          id: hold.id,
          href: `/bureau/retraits/${hold.id}`,
          title: `${names.held} : ${formatFcfa(hold.amount)}`,
          facts: [
            [names.reference, hold.reference],
            [names.at, formatDay(hold.since)],
          ],
        }))}
      />
    </>
  );
}

function productCard(product: StaffSellerOnWire["products"][number], review: string): RecordOf {
  const { id, may, suspended } = product;
  return {
    id,
    badges: [
      suspended
        ? ["danger", names.suspended]
        : product.archived
          ? ["neutral", names.archived]
          : product.on_sale
            ? ["positive", copy.onSale]
            : ["neutral", copy.offSale],
      product.reports > 0 && ["warning", copy.reports(product.reports)],
    ],
    title: product.title,
    text: joined(formatFcfa(product.price), product.reference, copy.sold30(product.sales_30_days)),
    note: quoted(suspended?.reason),
    acts: (["suspend", "resume"] as const).map(
      (which) =>
        may[which].allowed &&
        act(`POST /api/desk/products/:id/${which}`, {
          params: { id },
          button: copy.actions[`${which}Product`],
          ...copy.sheets[`${which}Product`],
          ...measure(which === "suspend", review),
        }),
    ),
  };
}

type Measure = keyof StaffSellerOnWire["may"];
const MEASURES = ["suspend", "resume", "freeze", "unfreeze", "reopen", "write-off"] as const;

function takeMeasure({ id }: StaffSellerOnWire, which: Measure, review: string) {
  return act(`POST /api/desk/sellers/:id/${which}`, {
    params: { id },
    button: copy.actions[which],
    ...copy.sheets[which],
    ...measure(which === "suspend" || which === "freeze", review),
    done: ({ seller }) => (seller.write_off ? copy.writeOffAsked : copy.done),
  });
}

/** A measure that begins has a day of review; one that ends has only a reason. */
function measure(begins: boolean, review: string) {
  return {
    look: begins ? "danger-tinted" : "tinted",
    fields: {
      reason: reason(begins ? names.reasonForSeller : names.reason),
      review: begins && ({ kind: "date", label: copy.review, initial: review } as const),
    },
    body: (said: { reason: string; review: string }) =>
      begins ? { reason: said.reason, review_at: said.review || null } : { reason: said.reason },
    done: (): string => copy.done,
  } as const;
}

const USUAL_REVIEW_DAYS = 7;

function useUsualReview(): string {
  const now = useBackOffice()?.now;
  if (!now) return "";
  return new Date(Date.parse(now) + USUAL_REVIEW_DAYS * 86_400_000).toISOString().slice(0, 10);
}
