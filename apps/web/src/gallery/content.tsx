import { Cell, Fold, Section } from "../kit/section.tsx";
import { Avatar } from "../kit/avatar.tsx";
import { Badge, Banner } from "../kit/badge.tsx";
import { Button } from "../kit/button.tsx";
import { EmptyState, Failed } from "../kit/empty-state.tsx";
import { Facts } from "../kit/facts.tsx";
import { Arch, Card, Grid, Line, MoreLink, Points, Stack, Text, When } from "../kit/layout.tsx";
import { Records } from "../kit/cards.tsx";
import { CopyLine, FactGrid, Table } from "../kit/record-list.tsx";
import { Skeleton, SkeletonRows } from "../kit/skeleton.tsx";
import { Spinner } from "../kit/icons.tsx";
import { Thread } from "../kit/records.tsx";
import styles from "./gallery.module.css";
import { Part } from "./part.tsx";
import { words } from "./messages.fr.ts";

const nothing = () => {};

export function ContentParts() {
  return (
    <>
      <Layout />
      <Rows />
      <Badges />
      <Details />
      <Part name="waiting" title={words.parts.waiting}>
        <SkeletonRows count={2} label={words.waiting} />
        <Skeleton height="72px" radius="var(--radius)" />
        <Spinner />
      </Part>
      <Part name="empty" title={words.parts.empty}>
        <EmptyState
          drawing="receipt"
          title={words.empty.title}
          text={words.empty.text}
          action={<Button>{words.empty.action}</Button>}
        />
        <Failed title={words.failed} text={words.over.badText} onRetry={nothing} />
      </Part>
      <Lists />
    </>
  );
}

function Layout() {
  const copy = words.layout;
  return (
    <Part name="layout" title={words.parts.layout}>
      <Card big gap={1}>
        <Text size="small">{copy.balance}</Text>
        <Text size="hero">{words.sizes.hero}</Text>
      </Card>
      <Grid>
        <Card as="section">
          <Text strong>{copy.left}</Text>
        </Card>
        <Card as="section" wrong>
          <Text strong tone="amber">
            {copy.soon}
          </Text>
        </Card>
      </Grid>
      <Points points={words.points} />
      <MoreLink href="#">{words.seeAll}</MoreLink>
      <Card center gap={2}>
        <Arch icon="check" large />
        <Text as="h3" size="title">
          {words.longName}
        </Text>
        <Text tone="soft" center>
          {words.long}
        </Text>
        <Text size="small" code>
          {copy.token}
        </Text>
      </Card>
      <Line between>
        <Arch icon="arrowIn" />
        <Arch icon="clock" tone="amber" />
        <Arch icon="trash" tone="brick" />
        <Arch icon="moon" tone="soft" />
      </Line>
      <Stack gap={1}>
        <Line between>
          <Text as="span" strong>
            {copy.today}
          </Text>
          <Text as="span">{words.facts.amount}</Text>
        </Line>
        <Text size="small" tone="soft">
          <When at="2026-11-22T15:03:00Z" />
        </Text>
        <Text size="small" tone="brick">
          {copy.over}
        </Text>
      </Stack>
    </Part>
  );
}

function Rows() {
  const copy = words.rows;
  return (
    <Part name="rows" title={words.parts.rows}>
      <Section title={copy.title} footer={copy.footer}>
        <Cell icon="arrowOut" title={copy.withdraw} chevron onClick={nothing} />
        <Cell icon="refresh" title={copy.automatic} after={copy.off} chevron onClick={nothing} />
        <Cell
          icon="wallet"
          title={copy.methods}
          subtitle={copy.methodsText}
          after={<Badge tone="accent">{words.badges.accent}</Badge>}
          chevron
          onClick={nothing}
        />
        <Cell
          before={<Avatar name={words.longName} />}
          title={words.longName}
          subtitle={`${words.long} · ${copy.sale}`}
          after={copy.amount}
        />
        <Cell icon="trash" title={copy.remove} danger onClick={nothing} />
      </Section>
      <div data-force="active">
        <Section>
          <Cell icon="star" title={copy.methods} chevron onClick={nothing} />
        </Section>
      </div>
      <div data-force="focus-visible focus">
        <Section>
          <Cell icon="people" title={copy.methods} chevron onClick={nothing} />
        </Section>
      </div>
    </Part>
  );
}

/** What the back office is made of: rows that become columns on a desktop, cards, and what is said. */
function Lists() {
  const copy = words.records;
  const { facts, badges } = words;
  const columns = [
    [facts.product, words.long],
    [facts.received, facts.amount],
    [facts.date, facts.day],
  ] as const;
  const shared = { title: words.longName, facts: columns };
  return (
    <Part name="records" title={words.parts.records}>
      <Table
        title={words.rows.title}
        rows={[
          {
            ...shared,
            id: "1",
            href: "#",
            before: <Avatar name={words.longName} />,
            mark: ["warning", badges.warning],
          },
          { ...shared, id: "2", more: <FactGrid facts={columns} /> },
        ]}
      />
      <Table title={facts.product} none={words.empty.title} rows={[]} />
      <Records
        of={[
          {
            ...shared,
            id: "3",
            badges: [["danger", badges.danger]],
            when: facts.day,
            text: words.long,
            links: [{ href: "#", label: copy.order }],
            note: copy.note,
            children: (
              <CopyLine
                label={copy.number}
                shown={copy.phone}
                copied={copy.phone}
                button={copy.copy}
              />
            ),
          },
        ]}
      />
      <Thread
        label={copy.thread}
        gone={copy.gone}
        messages={(["theirs", "mine", "nobody"] as const).map((side, at) => ({
          id: side,
          side,
          author: copy.authors[at] ?? "",
          step: copy.step,
          at: "2026-11-22T15:03:00Z",
          words: side === "nobody" ? null : words.long,
        }))}
      />
    </Part>
  );
}

function Badges() {
  const { badges, banners } = words;
  return (
    <Part name="badges" title={words.parts.badges}>
      <div className={styles.line}>
        <Badge tone="positive">{badges.positive}</Badge>
        <Badge tone="warning">{badges.warning}</Badge>
        <Badge tone="danger">{badges.danger}</Badge>
        <Badge tone="accent">{badges.accent}</Badge>
        <Badge tone="neutral">{badges.neutral}</Badge>
      </div>
      <div className={styles.brand}>
        <Badge tone="on-brand">{badges.onBrand}</Badge>
      </div>
      <Banner
        tone="warning"
        icon="warning"
        action={<button type="button">{banners.resume}</button>}
      >
        {banners.warning}
      </Banner>
      <Banner tone="danger" icon="shield">
        {banners.danger}
      </Banner>
      <Banner tone="accent" icon="clock">
        {banners.accent}
      </Banner>
    </Part>
  );
}

function Details() {
  const copy = words.facts;
  return (
    <Part name="facts" title={words.parts.facts}>
      <Facts
        facts={[
          [
            copy.status,
            <Badge key="status" tone="warning">
              {words.badges.warning}
            </Badge>,
          ],
          [copy.date, copy.day],
          [copy.received, copy.amount, true],
          [copy.product, words.long],
        ]}
      />
      <Section>
        <Fold title={copy.question}>
          <p>{copy.answer}</p>
        </Fold>
        <Fold title={copy.otherQuestion}>
          <p>{copy.answer}</p>
        </Fold>
      </Section>
    </Part>
  );
}
