import type { DeskSellerOnWire } from "@sesame/contract/back-office";
import { groupPhone } from "@sesame/contract/withdrawals";
import { useQuery } from "@tanstack/react-query";
import { formatDay, formatFcfa, formatNumber } from "../../lib/format.ts";
import { read } from "../../lib/read.ts";
import { Avatar } from "../../kit/avatar.tsx";
import { Banner } from "../../kit/banner.tsx";
import { Page } from "../../kit/page.tsx";
import { Cell, Section } from "../../kit/section.tsx";
import { type Fact, Facts } from "./parts/facts.tsx";
import { FoundOrder, FoundWithdrawal } from "./parts/found.tsx";
import { SellerMeasures } from "./parts/seller-measures.tsx";
import { SellerAlerts, SellerAudit, SellerGroups, SellerProducts } from "./parts/seller-lists.tsx";
import { One } from "./parts/states.tsx";
import { useDesk } from "./use-desk.ts";
import styles from "./seller.module.css";
import { sellerCopy as copy } from "./people-messages.fr.ts";

/** All that the desk knows of a seller, and what an operator may do about him. */
export function Seller({ id }: { id: string }) {
  const query = useQuery(read("GET /api/desk/sellers/:id", { params: { id }, pick: "seller" }));
  return (
    <One query={query} title={copy.title} missing={copy.missing}>
      {(seller) => <Shown seller={seller} />}
    </One>
  );
}

function Shown({ seller }: { seller: DeskSellerOnWire }) {
  return (
    <Page title={seller.name} subtitle={copy.title}>
      <Standing seller={seller} />
      <Section>
        <div className={styles.who}>
          <Avatar name={seller.name} photo={seller.photo_url} size={56} />
          <Facts facts={identityOf(seller)} />
        </div>
      </Section>
      <SellerMeasures seller={seller} />
      <Money seller={seller} />
      <SellerAlerts seller={seller} />
      <Section title={copy.sales}>
        <Facts
          facts={[
            [copy.count, formatNumber(seller.sales.count)],
            [copy.accesses, formatNumber(seller.sales.running_accesses)],
            [copy.gross, formatFcfa(seller.sales.gross)],
            [copy.net, formatFcfa(seller.sales.net)],
          ]}
        />
      </Section>
      <Section title={copy.withdrawals}>
        {seller.withdrawals.length === 0 ? <Cell title={copy.none} /> : null}
        <ul>
          {seller.withdrawals.map((each) => (
            <li key={each.id}>
              <FoundWithdrawal found={each} />
            </li>
          ))}
        </ul>
      </Section>
      <Section title={copy.lastSales}>
        {seller.last_sales.length === 0 ? <Cell title={copy.none} /> : null}
        <ul>
          {seller.last_sales.map((each) => (
            <li key={each.id}>
              <FoundOrder found={{ ...each, seller: null }} />
            </li>
          ))}
        </ul>
      </Section>
      <SellerProducts seller={seller} />
      <SellerGroups seller={seller} />
      <SellerAudit seller={seller} />
    </Page>
  );
}

/** What holds him back now, with the reason he reads. */
function Standing({ seller }: { seller: DeskSellerOnWire }) {
  const { suspended, frozen, closed_at: closedAt } = seller;
  const say = (since: string, review: string | null) =>
    copy.measure(formatDay(since), review ? formatDay(review) : null);
  return (
    <>
      {closedAt ? (
        <Banner tone="warning" icon="logout">
          {copy.closedOn(formatDay(closedAt))}
        </Banner>
      ) : null}
      {suspended ? (
        <Banner tone="danger" icon="shield">
          <strong>{copy.suspended}</strong>
          <br />
          {suspended.reason ? `« ${suspended.reason} » ` : null}
          {say(suspended.since, suspended.review_at)}
        </Banner>
      ) : null}
      {frozen ? (
        <Banner tone="danger" icon="warning">
          <strong>{frozen.by === "seller" ? copy.frozenBySeller : copy.frozen}</strong>
          <br />
          {frozen.reason ? `« ${frozen.reason} » ` : null}
          {say(frozen.since, frozen.review_at)}
        </Banner>
      ) : null}
    </>
  );
}

function identityOf(seller: DeskSellerOnWire): Fact[] {
  const known = (label: string, value: string | null): Fact[] => (value ? [[label, value]] : []);
  const plan =
    seller.type_plan === null
      ? copy.planNone
      : seller.type_plan === "payant"
        ? seller.premium_until
          ? copy.premiumUntil(formatDay(seller.premium_until))
          : copy.planPremium
        : copy.planFree;
  return [
    ...known(copy.telegram, seller.username ? `@${seller.username}` : null),
    [copy.telegramId, String(seller.telegram_id)],
    [copy.plan, plan],
    [copy.since, formatDay(seller.since)],
    ...known(copy.whatsapp, seller.whatsapp_number),
    ...known(copy.country, seller.country),
  ];
}

function Money({ seller }: { seller: DeskSellerOnWire }) {
  const { gratuit, payant } = seller.balances;
  const { payout, write_off: writeOff } = seller;
  const labels = new Map(useDesk()?.methods.map(({ id, label }) => [id, label]));
  const facts: Fact[] = [
    [`${copy.freeAccount}, ${copy.available.toLowerCase()}`, formatFcfa(gratuit.available)],
    [`${copy.freeAccount}, ${copy.held.toLowerCase()}`, formatFcfa(gratuit.held)],
    [`${copy.premiumAccount}, ${copy.available.toLowerCase()}`, formatFcfa(payant.available)],
    [`${copy.premiumAccount}, ${copy.held.toLowerCase()}`, formatFcfa(payant.held)],
    ...(seller.owed > 0 ? ([[copy.owed, formatFcfa(seller.owed)]] as Fact[]) : []),
    ...(writeOff
      ? ([
          [
            copy.writeOff,
            copy.writeOffBy(writeOff.by, formatFcfa(writeOff.amount), formatDay(writeOff.since)),
          ],
        ] as Fact[])
      : []),
    [copy.method, (payout.method && (labels.get(payout.method) ?? payout.method)) ?? copy.none],
    [copy.phone, payout.phone ? groupPhone(payout.phone) : copy.none],
    [copy.automatic, payout.automatic ? copy.yes : copy.no],
    ...(payout.number_changed_at
      ? ([[copy.numberChanged, formatDay(payout.number_changed_at)]] as Fact[])
      : []),
  ];
  return (
    <Section title={copy.money}>
      <Facts facts={facts} />
      {seller.holds.length > 0 ? (
        <ul>
          {seller.holds.map((hold) => (
            <li key={hold.id}>
              <Cell
                href={`/bureau/retraits/${hold.id}`}
                title={`${copy.held} : ${formatFcfa(hold.amount)}`}
                subtitle={`${hold.reference} · ${formatDay(hold.since)}`}
                chevron
              />
            </li>
          ))}
        </ul>
      ) : null}
    </Section>
  );
}
