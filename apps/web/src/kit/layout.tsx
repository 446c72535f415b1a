import { type ComponentProps, createElement, type JSX, type ReactNode } from "react";
import { Link } from "wouter";
import { sayShortInstant } from "../lib/time-words.fr.ts";
import { classes } from "../lib/text.ts";
import { Icon, type IconName, Spinner } from "./icons.tsx";
import styles from "./layout.module.css";

type Tag = keyof JSX.IntrinsicElements;
/** Attributes of an element of that name, except its class: the primitive sets its look. */
type Of<E extends Tag, Own> = Own & { as?: E } & Omit<ComponentProps<E>, keyof Own | "className">;
type Gap = 0 | 1 | 2 | 3 | 4 | 5;

function drawn(as: Tag, rest: object, ...names: (string | false | undefined)[]) {
  return createElement(as, { className: classes(...names), ...rest });
}

type StackLook = {
  gap?: Gap;
  center?: boolean;
  /** Against the right edge. */
  end?: boolean;
  pad?: boolean;
  bullets?: boolean;
  /** As wide as a page's column, away from the screen's edges. `alone`: in its middle. */
  page?: boolean | "wide" | "alone" | undefined;
  children?: ReactNode;
};

/** One below the other. */
export function Stack<E extends Tag = "div">(props: Of<E, StackLook>) {
  const { as = "div", gap = 3, center, end, pad, bullets, page, ...rest } = props;
  const form = [center && styles.center, end && styles.end, pad && styles.pad];
  const rare = [
    bullets && styles.bullets,
    page && styles.page,
    page && page !== true && styles[page],
  ];
  return drawn(as, rest, styles.stack, styles[`gap${gap}`], ...form, ...rare);
}

type LineLook = {
  gap?: Gap;
  center?: boolean;
  between?: boolean;
  /** Small, for details. */
  soft?: boolean;
  nowrap?: boolean;
  children?: ReactNode;
};

/** Side by side, on a second line where there is no room. */
export function Line<E extends Tag = "div">(props: Of<E, LineLook>) {
  const { as = "div", gap = 2, center, between, soft, nowrap, ...rest } = props;
  const form = [center && styles.center, between && styles.between, nowrap && styles.nowrap];
  const spread = [...form, soft && styles.soft, soft && styles.small];
  return drawn(as, rest, styles.line, styles[`gap${gap}`], ...spread);
}

type GridLook = { least?: string; children?: ReactNode };

/** As many columns as have the `least` width, in `rem`: one, where the text is large. */
export function Grid<E extends Tag = "div">(props: Of<E, GridLook>) {
  const { as = "div", least = "9rem", ...rest } = props;
  return drawn(as, { ...rest, style: { "--least": least } }, styles.grid, styles.gap3);
}

type CardLook = {
  gap?: Gap;
  big?: boolean;
  wrong?: boolean;
  flush?: boolean;
  center?: boolean;
  children?: ReactNode;
};

/** A surface. `big`: the green one, once a screen. */
export function Card<E extends Tag = "div">(props: Of<E, CardLook>) {
  const { as = "div", gap = 3, big, wrong, flush, center, ...rest } = props;
  const look = [styles.stack, styles[`gap${gap}`], center && styles.center, styles.card];
  const ground = [!flush && styles.pad, big && styles.big, wrong && styles.wrong];
  return drawn(as, rest, ...look, ...ground);
}

type TextLook = {
  size?: "hero" | "title" | "heading" | "body" | "small" | "tiny";
  tone?: "soft" | "green" | "amber" | "brick";
  strong?: boolean;
  /** In the middle of its line. */
  center?: boolean;
  /** On a line of its own, where its element is not. */
  block?: boolean;
  /** Line breaks as they are written. */
  lines?: boolean;
  /** Two lines at most. */
  clamp?: boolean;
  code?: boolean;
  pad?: boolean;
  /** On a surface of its own, to be copied. */
  hollow?: boolean;
  children?: ReactNode;
};

/** When empty it takes no room. */
export function Text<E extends Tag = "p">(props: Of<E, TextLook>) {
  const {
    as = "p",
    size,
    tone,
    strong,
    center,
    block,
    lines,
    clamp,
    code,
    pad,
    hollow,
    ...rest
  } = props;
  const look = [size && styles[size], tone && styles[tone], strong && styles.strong];
  const form = [center && styles.middle, block && styles.block, lines && styles.lines];
  const rare = [clamp && styles.clamp, code && styles.code, pad && styles.pad];
  return drawn(as, rest, styles.text, ...look, ...form, ...rare, hollow && styles.hollow);
}

/** The heading of a section. */
export function Heading(props: { id?: string; center?: boolean; children: ReactNode }) {
  return <Text as="h2" size="heading" {...props} />;
}

/** The name of a row, in two lines at most. */
export function Name({ children }: { children: ReactNode }) {
  return (
    <Text as="span" clamp strong>
      {children}
    </Text>
  );
}

/** Advantages: one below the other, each behind its tick. */
export function Points({ points }: { points: readonly string[] }) {
  return (
    <Stack as="ul">
      {points.map((point) => (
        <li key={point} className={styles.point}>
          <Icon name="check" size={20} />
          <span>{point}</span>
        </li>
      ))}
    </Stack>
  );
}

/** A link to more, in a title's row or below the content. */
export function MoreLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className={styles.more}>
      {children}
    </Link>
  );
}

/** An instant of the wire, in as few words as possible. */
export function When({ at }: { at: string }) {
  return <time dateTime={at}>{sayShortInstant(at)}</time>;
}

/** The arch of the logo, with an icon in it. */
export function Arch(props: {
  icon: IconName;
  tone?: "amber" | "brick" | "soft" | undefined;
  large?: boolean;
  busy?: boolean | undefined;
}) {
  return (
    <span
      className={classes(styles.arch, props.large && styles.largeArch)}
      data-arch=""
      data-tone={props.tone}
      aria-hidden="true"
    >
      {props.busy ? <Spinner /> : <Icon name={props.icon} size={props.large ? 32 : 20} />}
    </span>
  );
}
