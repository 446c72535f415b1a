import { Fold } from "../kit/faq.tsx";
import { Avatar } from "../kit/avatar.tsx";
import { Badge, Banner } from "../kit/badge.tsx";
import { Button } from "../kit/button.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { Facts } from "../kit/facts.tsx";
import { Amount, Arch, Card, Grid, Line, Ring, Stack, Text, When } from "../kit/layout.tsx";
import { Cell, Section } from "../kit/section.tsx";
import { Skeleton, SkeletonRows } from "../kit/skeleton.tsx";
import { Spinner } from "../kit/icons.tsx";
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
      </Part>
    </>
  );
}

function Layout() {
  const copy = words.layout;
  return (
    <Part name="layout" title={words.parts.layout}>
      <Card big gap={1}>
        <Text size="small">{copy.balance}</Text>
        <Text size="hero">
          <Amount francs={184_500} />
        </Text>
      </Card>
      <Grid>
        <Card as="section">
          <Line gap={3}>
            <Ring left={0.4} />
            <Text strong>{copy.left}</Text>
          </Line>
        </Card>
        <Card as="section">
          <Line gap={3}>
            <Ring left={0.05} soon />
            <Text strong tone="amber">
              {copy.soon}
            </Text>
          </Line>
        </Card>
      </Grid>
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
          <Amount francs={16_400} sign />
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
