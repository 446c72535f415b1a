import { type ReactNode, useState } from "react";
import { TabBar } from "../app/tab-bar.tsx";
import { Avatar } from "../kit/avatar.tsx";
import {
  Badge,
  type BadgeTone,
  Banner,
  Button,
  type ButtonProps,
  IconButton,
  Switch,
} from "../kit/button.tsx";
import { CopyLine, FactGrid, Records, Table } from "../kit/record-list.tsx";
import { FilterChips, SearchField, Segmented } from "../kit/choices.tsx";
import { Drawing, DRAWING_NAMES } from "../kit/drawings.tsx";
import { EmptyState, Failed, Page } from "../kit/screen.tsx";
import { Facts } from "../kit/facts.tsx";
import { ChipField, FrancsField, SelectField, TextArea, TextField } from "../kit/field.tsx";
import { Icon, ICON_NAMES, Spinner } from "../kit/icons.tsx";
import {
  Arch,
  Card,
  Cell,
  Fold,
  Grid,
  Line,
  MoreLink,
  Points,
  Section,
  Stack,
  Text,
  When,
} from "../kit/layout.tsx";
import { Dialog, Sheet } from "../kit/modal.tsx";
import { OPERATORS, OperatorMark } from "../kit/operator-mark.tsx";
import { Thread } from "../kit/records.tsx";
import { Skeleton, SkeletonRows } from "../kit/skeleton.tsx";
import { toast, ToastPlace } from "../kit/toast.tsx";
import { Field } from "../kit/use-form.tsx";
import styles from "./gallery.module.css";
import { words } from "./messages.fr.ts";

const COLOURS =
  "paper card hollow line ink ink-soft green tint amber amber-soft brick brick-soft fill fill-brick big-card raised";
const SPACES = [1, 2, 3, 4, 5, 6];
const SIZES = ["hero", "title", "heading", "body", "small", "tiny"] as const;
const TONES: readonly BadgeTone[] = ["positive", "warning", "danger", "accent", "neutral"];
const { name, long, when, amount } = words;
const nothing = () => {};

/** All components in all their states: what the eye checks, and what the pictures compare. */
export function Gallery() {
  return (
    <Page title={words.title} subtitle={words.subtitle}>
      <Ground />
      <Buttons />
      <Layout />
      <Rows />
      <Words />
      <Lists />
      <Fields />
      <Choices />
      <Pictures />
      <Over />
      <ToastPlace />
    </Page>
  );
}

/** One picture of the comparison. */
function Part(props: { name: string; children: ReactNode }) {
  return (
    <Stack as="section" data-part={props.name}>
      <Text as="h2" size="heading">
        {props.name}
      </Text>
      {props.children}
    </Stack>
  );
}

/** Shown as when pressed, or focused by the keyboard. */
function Forced(props: { by: "active" | "focus-visible focus"; children: ReactNode }) {
  return <div data-force={props.by}>{props.children}</div>;
}

function Ground() {
  return (
    <>
      <Part name="type">
        {SIZES.map((size) => (
          <Text key={size} size={size}>
            {words.sizes[size]}
          </Text>
        ))}
        <Text tone="soft">{long}</Text>
      </Part>
      <Part name="colours">
        <Grid least="4.5rem">
          {COLOURS.split(" ").map((colour) => (
            <Text key={colour} as="div" size="tiny">
              <div className={styles.swatch} style={{ background: `var(--${colour})` }} />
              {colour}
            </Text>
          ))}
        </Grid>
        <Line>
          {SPACES.map((space) => (
            <div key={space} className={styles.swatch} style={{ width: `var(--space-${space})` }} />
          ))}
        </Line>
      </Part>
    </>
  );
}

function Buttons() {
  const copy = words.button;
  const looks: readonly Omit<ButtonProps, "children">[] = [
    {},
    { look: "tinted", icon: "copy" },
    { look: "plain" },
    { look: "danger" },
    { look: "danger-tinted", icon: "logout" },
    { busy: true },
    { lack: copy.lack },
  ];
  return (
    <>
      <Part name="buttons">
        {looks.map((look, at) => (
          <Button key={at} {...look}>
            {copy.name}
          </Button>
        ))}
        <Button look="tinted" icon="plus">
          {long}
        </Button>
        <Card big>
          <Button look="on-brand" icon="arrowOut">
            {copy.name}
          </Button>
          <Badge tone="on-brand">{copy.name}</Badge>
        </Card>
        <Line>
          <Button size="small">{copy.name}</Button>
          <Button size="small" look="tinted">
            {copy.name}
          </Button>
          <IconButton icon="search" label={copy.name} onClick={nothing} />
          <IconButton icon="filter" label={copy.name} pressed onClick={nothing} />
          <IconButton icon="refresh" label={copy.name} busy onClick={nothing} />
        </Line>
      </Part>
      <Part name="pressed">
        {(["active", "focus-visible focus"] as const).map((by) => (
          <Forced key={by} by={by}>
            <Button>{copy.name}</Button>
            <IconButton icon="search" label={copy.name} onClick={nothing} />
            <Cell icon="star" title={long} chevron onClick={nothing} />
          </Forced>
        ))}
      </Part>
    </>
  );
}

function Layout() {
  return (
    <Part name="layout">
      <Card big gap={1}>
        <Text size="small">{words.balance}</Text>
        <Text size="hero">{words.sizes.hero}</Text>
      </Card>
      <Grid>
        <Card as="section">
          <Text strong>{when}</Text>
        </Card>
        <Card as="section" wrong>
          <Text strong tone="amber">
            {when}
          </Text>
        </Card>
      </Grid>
      <Points points={[name, long]} />
      <MoreLink href="#">{words.title}</MoreLink>
      <Card center gap={2}>
        <Arch icon="check" large />
        <Text as="h3" size="title">
          {name}
        </Text>
        <Text tone="soft" center>
          {long}
        </Text>
        <Text size="small" code>
          {words.link}
        </Text>
      </Card>
      <Line between>
        <Arch icon="arrowIn" />
        <Arch icon="clock" tone="amber" />
        <Arch icon="trash" tone="brick" />
        <Arch icon="moon" tone="soft" />
      </Line>
      <Text size="small" tone="brick">
        <When at={words.instant} />
      </Text>
    </Part>
  );
}

function Rows() {
  const copy = words.rows;
  return (
    <Part name="rows">
      <Section title={copy.title} footer={long}>
        <Cell icon="arrowOut" title={copy.withdraw} chevron onClick={nothing} />
        <Cell icon="refresh" title={copy.automatic} after={copy.off} chevron onClick={nothing} />
        <Cell
          icon="wallet"
          title={copy.automatic}
          subtitle={long}
          after={<Badge tone="accent">{words.badges.accent}</Badge>}
          chevron
          onClick={nothing}
        />
        <Cell before={<Avatar name={name} />} title={name} subtitle={long} after={amount} />
        <Cell icon="trash" title={copy.remove} danger onClick={nothing} />
        <Cell href="#" current title={name} />
      </Section>
      <Section>
        <Fold title={copy.question}>
          <p>{long}</p>
        </Fold>
        <Fold title={copy.question}>
          <p>{long}</p>
        </Fold>
      </Section>
    </Part>
  );
}

function Words() {
  return (
    <>
      <Part name="badges">
        <Line>
          {TONES.map((tone) => (
            <Badge key={tone} tone={tone}>
              {words.badges[tone]}
            </Badge>
          ))}
        </Line>
        <Banner tone="warning" action={<button type="button">{words.act}</button>}>
          {long}
        </Banner>
        <Banner tone="danger" icon="shield">
          {long}
        </Banner>
        <Banner tone="accent" icon="clock">
          {long}
        </Banner>
        <Facts
          facts={[
            [
              words.balance,
              <Badge key="badge" tone="warning">
                {words.badges.warning}
              </Badge>,
            ],
            [words.date, when],
            [words.balance, amount, true],
            [words.product, long],
          ]}
        />
      </Part>
      <Part name="waiting">
        <SkeletonRows count={2} label={words.title} />
        <Skeleton height="72px" radius="var(--radius)" />
        <Spinner />
      </Part>
      <Part name="empty">
        <EmptyState drawing="receipt" title={name} text={long} action={<Button>{name}</Button>} />
        <Failed title={name} text={long} onRetry={nothing} />
      </Part>
    </>
  );
}

/** Parts of the back office: rows that become columns on a desktop, cards, conversations. */
function Lists() {
  const { badges } = words;
  const facts = [
    [words.product, long],
    [words.balance, amount],
    [words.date, when],
  ] as const;
  const shared = { title: name, facts };
  const copied = { label: words.number, button: words.number };
  return (
    <Part name="records">
      <Table
        title={words.rows.title}
        rows={[
          {
            ...shared,
            id: "1",
            href: "#",
            before: <Avatar name={name} />,
            mark: ["warning", badges.warning],
          },
          { ...shared, id: "2", more: <FactGrid facts={facts} /> },
        ]}
      />
      <Table title={words.product} none={long} rows={[]} />
      <Records
        of={[
          {
            ...shared,
            id: "3",
            badges: [["danger", badges.danger]],
            when,
            text: long,
            links: [{ href: "#", label: words.act }],
            note: when,
            children: <CopyLine {...copied} shown={words.phone} copied={words.phone} />,
          },
        ]}
      />
      <Thread
        label={words.title}
        gone={words.gone}
        messages={(["theirs", "mine", "nobody"] as const).map((side) => ({
          id: side,
          side,
          author: name,
          step: words.act,
          at: words.instant,
          words: side === "nobody" ? null : long,
        }))}
      />
    </Part>
  );
}

const COUNTRIES = words.fields.countries.map((label) => ({ value: label, label }));

function Fields() {
  const copy = words.fields;
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState<string>(copy.countries[2]);
  const typed = { label: copy.name, value: text, onChange: setText };
  const area = { label: copy.description, value: long, max: 500, onChange: nothing };
  const country = { label: copy.country, choices: COUNTRIES, onChange: setChosen };
  return (
    <>
      <Part name="fields">
        <TextField {...typed} required placeholder={name} />
        <div data-force="focus-within">
          <TextField {...typed} hint={copy.hint} suffix={copy.suffix} value="5000" />
        </div>
        <TextArea {...area} length={350} />
        <SelectField {...country} value={chosen} empty={copy.none} />
        <TextField {...typed} secret value="sk_sandbox" />
        <ChipField {...country} value={chosen} />
        <ChipField {...country} many value={copy.countries.join()} />
      </Part>
      <Part name="fields-refused">
        <TextField {...typed} required suffix={copy.suffix} error={copy.wrong} value="60" />
        <TextArea {...area} length={512} error={copy.wrong} />
        <FrancsField {...typed} value="12.5" />
        <SelectField {...country} value="" empty={copy.none} error={copy.wrong} />
      </Part>
    </>
  );
}

function Choices() {
  const { countries } = words.fields;
  const [chosen, setChosen] = useState<string>(countries[1]);
  const [on, setOn] = useState(true);
  const shared = { label: words.title, value: chosen, onChange: setChosen };
  return (
    <Part name="choices">
      <Segmented {...shared} choices={COUNTRIES.slice(0, 3)} />
      <Segmented
        {...shared}
        choices={COUNTRIES.map((each, count) => ({ ...each, count, alarm: count === 2 }))}
      />
      <Field
        ask={{
          kind: "choices",
          label: words.title,
          choices: COUNTRIES.map((each) => ({ ...each, hint: long })),
        }}
        value={chosen}
        onChange={setChosen}
      />
      <FilterChips {...shared} choices={COUNTRIES} />
      <Line>
        <Switch label={name} checked={on} onChange={setOn} />
        <Switch label={name} checked={!on} onChange={(next) => setOn(!next)} />
        <Switch label={name} checked disabled onChange={setOn} />
        <Forced by="focus-visible focus">
          <Switch label={name} checked={on} onChange={setOn} />
        </Forced>
      </Line>
      <SearchField label={words.act} value="" onChange={nothing} />
      <SearchField label={words.act} value={words.product} onChange={nothing} />
    </Part>
  );
}

function Pictures() {
  return (
    <>
      <Part name="pictures">
        <Line>
          {DRAWING_NAMES.map((each) => (
            <Drawing key={each} name={each} size={92} />
          ))}
        </Line>
        <Line>
          {ICON_NAMES.map((each) => (
            <Icon key={each} name={each} />
          ))}
        </Line>
        <Line>
          {words.people.map((each) => (
            <Avatar key={each} name={each} />
          ))}
          {[...OPERATORS, ""].map((each) => (
            <OperatorMark key={each} operator={each} />
          ))}
        </Line>
      </Part>
      <Part name="tab-bar">
        <div className={styles.bar}>
          <TabBar />
        </div>
      </Part>
    </>
  );
}

function Over() {
  const copy = words.over;
  const [open, setOpen] = useState<"sheet" | "dialog" | null>(null);
  const close = () => setOpen(null);
  return (
    <Part name="over">
      <Button onClick={() => setOpen("sheet")}>{copy.sheet}</Button>
      <Button onClick={() => setOpen("dialog")}>{copy.dialog}</Button>
      <Button onClick={() => toast(copy.done)}>{copy.good}</Button>
      <Button onClick={() => toast(copy.refused, "bad")}>{copy.bad}</Button>
      {open === "sheet" ? (
        <Sheet title={long} onClose={close}>
          <Section>
            <Cell before={<Avatar name={name} />} title={name} chevron onClick={close} />
          </Section>
          <Button onClick={() => toast(copy.refused, "bad")}>{copy.badOverSheet}</Button>
          <Button lack={words.button.lack}>{words.button.name}</Button>
        </Sheet>
      ) : null}
      {open === "dialog" ? (
        <Dialog
          title={name}
          onClose={close}
          actions={[
            { label: words.rows.remove, look: "danger", run: close },
            { label: words.act, look: "plain", run: close },
          ]}
        >
          {long}
        </Dialog>
      ) : null}
    </Part>
  );
}
