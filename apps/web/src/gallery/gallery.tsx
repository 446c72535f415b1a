import { type ComponentType, useState } from "react";
import { createRoot } from "react-dom/client";
import { TabBar } from "../app/tab-bar.tsx";
import { Avatar } from "../kit/avatar.tsx";
import {
  Badge,
  Banner,
  Button,
  type ButtonProps,
  IconButton,
  Switch,
  TintedButton,
} from "../kit/button.tsx";
import { CopyLine, FactGrid, Records, Table } from "../kit/record-list.tsx";
import { FilterChips, SearchField, Segmented } from "../kit/choices.tsx";
import { Drawing, DRAWING_NAMES } from "../kit/drawings.tsx";
import { Empty, Failed, Page } from "../kit/screen.tsx";
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
import "../telegram/before-paint.js";
import "../kit/base.css";

const COLOURS =
  "paper card hollow line ink ink-soft green tint amber amber-soft brick brick-soft fill fill-brick big-card raised";
const SPACES = [1, 2, 3, 4, 5, 6];
const SIZES = ["hero", "title", "heading", "body", "small", "tiny"] as const;
const STATES = ["active", "focus-visible focus"] as const;
const TONES = ["positive", "warning", "danger", "accent", "neutral"] as const;
const { name, long, when, amount } = words;
const nothing = () => {};

const { button, fields, over, rows } = words;
const BUTTONS: readonly Omit<ButtonProps, "children">[] = [
  {},
  { look: "tinted", icon: "copy" },
  { look: "plain" },
  { look: "danger" },
  { look: "danger-tinted", icon: "logout" },
  { busy: true },
  { lack: button.lack },
];
const FACTS = [
  [words.product, long],
  [words.balance, amount],
  [words.date, when],
] as const;
const RECORD = { title: name, facts: FACTS };
const COUNTRIES = fields.countries.map((label) => ({ value: label, label }));
const AREA = { label: fields.description, value: long, max: 500, onChange: nothing };
const REFUSED = { label: fields.name, onChange: nothing };

function Fields() {
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState<string>(fields.countries[2]);
  const typed = { label: fields.name, value: text, onChange: setText };
  const country = { label: fields.country, choices: COUNTRIES, onChange: setChosen };
  return (
    <>
      <TextField {...typed} required placeholder={name} />
      <div data-force="focus-within">
        <TextField {...typed} hint={fields.hint} suffix={fields.suffix} value="5000" />
      </div>
      <TextArea {...AREA} length={350} />
      <SelectField {...country} value={chosen} empty={fields.none} />
      <TextField {...typed} secret value="sk_sandbox" />
      <ChipField {...country} value={chosen} />
      <ChipField {...country} many value={fields.countries.join()} />
    </>
  );
}

function Choices() {
  const [chosen, setChosen] = useState<string>(fields.countries[1]);
  const [on, setOn] = useState(true);
  const shared = { label: words.title, value: chosen, onChange: setChosen };
  return (
    <>
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
        <div data-force={STATES[1]}>
          <Switch label={name} checked={on} onChange={setOn} />
        </div>
      </Line>
      <SearchField label={words.act} value="" onChange={nothing} />
      <SearchField label={words.act} value={words.product} onChange={nothing} />
    </>
  );
}

function Over() {
  const [open, setOpen] = useState<"sheet" | "dialog" | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      <Button onClick={() => setOpen("sheet")}>{over.sheet}</Button>
      <Button onClick={() => setOpen("dialog")}>{over.dialog}</Button>
      <Button onClick={() => toast(over.done)}>{over.good}</Button>
      <Button onClick={() => toast(over.refused, "bad")}>{over.bad}</Button>
      {open === "sheet" ? (
        <Sheet title={long} onClose={close}>
          <Section>
            <Cell before={<Avatar name={name} />} title={name} chevron onClick={close} />
          </Section>
          <Button onClick={() => toast(over.refused, "bad")}>{over.badOverSheet}</Button>
          <Button lack={button.lack}>{button.name}</Button>
        </Sheet>
      ) : null}
      {open === "dialog" ? (
        <Dialog
          title={name}
          onClose={close}
          actions={[
            { label: rows.remove, look: "danger", run: close },
            { label: words.act, look: "plain", run: close },
          ]}
        >
          {long}
        </Dialog>
      ) : null}
    </>
  );
}

/** What the eye checks, and what the pictures compare: a picture each. */
const PARTS: Readonly<Record<string, ComponentType>> = {
  type: () => (
    <>
      {SIZES.map((size) => (
        <Text key={size} size={size}>
          {words.sizes[size]}
        </Text>
      ))}
      <Text tone="soft">{long}</Text>
    </>
  ),
  colours: () => (
    <>
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
    </>
  ),
  buttons: () => (
    <>
      {BUTTONS.map((look, at) => (
        <Button key={at} {...look}>
          {button.name}
        </Button>
      ))}
      <TintedButton icon="plus">{long}</TintedButton>
      <Card big>
        <Button look="on-brand" icon="arrowOut">
          {button.name}
        </Button>
        <Badge tone="on-brand">{button.name}</Badge>
      </Card>
      <Line>
        <Button size="small">{button.name}</Button>
        <TintedButton size="small">{button.name}</TintedButton>
        <IconButton icon="search" label={button.name} onClick={nothing} />
        <IconButton icon="filter" label={button.name} pressed onClick={nothing} />
        <IconButton icon="refresh" label={button.name} busy onClick={nothing} />
      </Line>
    </>
  ),
  pressed: () => (
    <>
      {STATES.map((by) => (
        <div key={by} data-force={by}>
          <Button>{button.name}</Button>
          <IconButton icon="search" label={button.name} onClick={nothing} />
          <Cell icon="star" title={long} chevron onClick={nothing} />
        </div>
      ))}
    </>
  ),
  layout: () => (
    <>
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
    </>
  ),
  rows: () => (
    <>
      <Section title={rows.title} footer={long}>
        <Cell icon="arrowOut" title={rows.withdraw} chevron onClick={nothing} />
        <Cell icon="refresh" title={rows.automatic} after={rows.off} chevron onClick={nothing} />
        <Cell
          icon="wallet"
          title={rows.automatic}
          subtitle={long}
          after={<Badge tone="accent">{words.badges.accent}</Badge>}
          chevron
          onClick={nothing}
        />
        <Cell before={<Avatar name={name} />} title={name} subtitle={long} after={amount} />
        <Cell icon="trash" title={rows.remove} danger onClick={nothing} />
        <Cell href="#" current title={name} />
      </Section>
      <Section>
        <Fold title={rows.question}>
          <p>{long}</p>
        </Fold>
        <Fold title={rows.question}>
          <p>{long}</p>
        </Fold>
      </Section>
    </>
  ),
  badges: () => (
    <>
      <Line>
        {TONES.map((tone) => (
          <Badge key={tone} tone={tone}>
            {words.badges[tone]}
          </Badge>
        ))}
      </Line>
      <Banner action={[words.act, nothing]}>{long}</Banner>
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
    </>
  ),
  waiting: () => (
    <>
      <SkeletonRows count={2} label={words.title} />
      <Skeleton height="72px" radius="var(--radius)" />
      <Spinner />
    </>
  ),
  empty: () => (
    <>
      <Empty of={["receipt", name, long]}>
        <Button>{name}</Button>
      </Empty>
      <Failed title={name} text={long} onRetry={nothing} />
    </>
  ),
  records: () => (
    <>
      <Table
        title={words.rows.title}
        rows={[
          {
            ...RECORD,
            id: "1",
            href: "#",
            before: <Avatar name={name} />,
            mark: ["warning", words.badges.warning],
          },
          { ...RECORD, id: "2", more: <FactGrid facts={FACTS} /> },
        ]}
      />
      <Table title={words.product} none={long} rows={[]} />
      <Records
        of={[
          {
            ...RECORD,
            id: "3",
            badges: [["danger", words.badges.danger]],
            when,
            text: long,
            links: [{ href: "#", label: words.act }],
            note: when,
            children: (
              <CopyLine
                label={words.number}
                button={words.number}
                shown={words.phone}
                copied={words.phone}
              />
            ),
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
    </>
  ),
  fields: Fields,
  "fields-refused": () => (
    <>
      <TextField {...REFUSED} required suffix={fields.suffix} error={fields.wrong} value="60" />
      <TextArea {...AREA} length={512} error={fields.wrong} />
      <FrancsField {...REFUSED} value="12.5" />
      <SelectField
        {...REFUSED}
        choices={COUNTRIES}
        value=""
        empty={fields.none}
        error={fields.wrong}
      />
    </>
  ),
  choices: Choices,
  pictures: () => (
    <>
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
    </>
  ),
  "tab-bar": () => (
    <div className={styles.bar}>
      <TabBar />
    </div>
  ),
  over: Over,
};

/** All components in all their states. */
function Gallery() {
  return (
    <Page title={words.title} subtitle={words.subtitle}>
      {Object.entries(PARTS).map(([part, Content]) => (
        <Stack key={part} as="section" data-part={part}>
          <Text as="h2" size="heading">
            {part}
          </Text>
          <Content />
        </Stack>
      ))}
      <ToastPlace />
    </Page>
  );
}

createRoot(document.getElementById("root") as HTMLElement).render(<Gallery />);
