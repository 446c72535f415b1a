import { type ComponentProps, createElement, type JSX, type ReactNode } from "react";
import { Link } from "wouter";
import { classes } from "../lib/text.ts";
import { sayShortInstant } from "../lib/time-words.fr.ts";
import { Icon, type IconName, Spinner } from "./icons.tsx";
import layout from "./layout.module.css";
import content from "./content.module.css";

export type Tag = keyof JSX.IntrinsicElements;
/** Attributes of an element of that name, except its class: the primitive sets its look. */
export type Of<E extends Tag, Own> = Own & { as?: E } & Omit<
    ComponentProps<E>,
    keyof Own | "className"
  >;
type Gap = 0 | 1 | 2 | 3 | 4 | 5;

/** `looks`: props that name a class, or whose value does; the others are the element's own. */
function drawn(as: Tag, props: object, looks: string, ...names: (string | false | undefined)[]) {
  const own = Object.entries(props).filter(([name, value]) => {
    const isLook = looks.split(" ").includes(name);
    if (isLook && value) names.push(layout[value === true ? name : value]);
    return !isLook;
  });
  return createElement(as, { className: classes(...names), ...Object.fromEntries(own) });
}

/** Looks that an element has or has not. */
type Looks<Name extends string> = { children?: ReactNode } & { [look in Name]?: boolean };

type StackLook = Looks<"center" | "pad" | "bullets"> & {
  gap?: Gap;
  /** As wide as a page's column, away from the screen's edges. `alone`: in its middle. */
  page?: boolean | "wide" | "alone" | undefined;
};

/** One below the other. */
export function Stack<E extends Tag = "div">(given: Of<E, StackLook>) {
  const { as = "div", gap = 3, ...props } = given;
  const page = props.page && layout.page;
  return drawn(as, props, "center pad bullets page", layout.stack, layout[`gap${gap}`], page);
}

/** `soft`: small, for details. */
type LineLook = Looks<"center" | "between" | "soft" | "nowrap"> & { gap?: Gap };

/** Side by side, on a second line where there is no room. */
export function Line<E extends Tag = "div">(given: Of<E, LineLook>) {
  const { as = "div", gap = 2, ...props } = given;
  const small = props.soft && layout.small;
  return drawn(as, props, "center between soft nowrap", layout.line, layout[`gap${gap}`], small);
}

/** As many columns as have the `least` width, in `rem`: one, where the text is large. */
export function Grid<E extends Tag = "div">(props: Of<E, Looks<never> & { least?: string }>) {
  const { as = "div", least = "9rem", ...rest } = props;
  return drawn(as, { ...rest, style: { "--least": least } }, "", layout.grid, layout.gap3);
}

type CardLook = Looks<"big" | "wrong" | "flush" | "center"> & { gap?: Gap };

/** A surface. `big`: the green one, once a screen. */
export function Card<E extends Tag = "div">(given: Of<E, CardLook>) {
  const { as = "div", gap = 3, flush, ...props } = given;
  const ground = [layout.stack, layout[`gap${gap}`], layout.card, !flush && layout.pad];
  return drawn(as, props, "center big wrong", ...ground);
}

/**
 * `center`: in the middle of its line. `block`: on a line of its own, where its element is not. `lines`: line
 * breaks as they are written. `clamp`: two lines at most. `hollow`: on a surface of its own, to be copied.
 * `whole`: on one line where it fits on one, and broken at its spaces otherwise.
 */
type TextFlag =
  | "strong"
  | "center"
  | "block"
  | "lines"
  | "clamp"
  | "code"
  | "pad"
  | "hollow"
  | "whole";
export type TextLook = Looks<TextFlag> & {
  size?: "hero" | "title" | "heading" | "body" | "small" | "tiny";
  tone?: "soft" | "green" | "amber" | "brick";
};

/** When empty it takes no room. */
export function Text<E extends Tag = "p">(given: Of<E, TextLook>) {
  const { as = "p", ...props } = given;
  const looks = "size tone strong center block lines clamp code pad hollow whole";
  return drawn(as, props, looks, layout.text);
}

/** The title of a page. */
export function Title(props: { center?: boolean; children: ReactNode }) {
  return <Text as="h1" size="title" {...props} />;
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
        <li key={point} className={layout.point}>
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
    <Link href={href} className={layout.more}>
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
      className={classes(layout.arch, props.large && layout.largeArch)}
      data-arch=""
      data-tone={props.tone}
      aria-hidden="true"
    >
      {props.busy ? <Spinner /> : <Icon name={props.icon} size={props.large ? 32 : 20} />}
    </span>
  );
}

/** A group of rows on its own card, as in Telegram's Settings. */
export function Section(props: {
  title?: string | undefined;
  footer?: ReactNode;
  action?: ReactNode;
  /** Around content that is no row. */
  pad?: boolean;
  children: ReactNode;
}) {
  return (
    <Stack as="section" gap={2}>
      {props.title ? (
        <Line between>
          <Heading>{props.title}</Heading>
          {props.action}
        </Line>
      ) : null}
      <Card flush={!props.pad} gap={props.pad ? 3 : 0}>
        {props.children}
      </Card>
      {props.footer ? (
        <Text size="small" tone="soft">
          {props.footer}
        </Text>
      ) : null}
    </Stack>
  );
}

export type CellProps = {
  readonly title: ReactNode;
  readonly subtitle?: ReactNode;
  /** At the right end. */
  readonly after?: ReactNode;
  /** At the left end; or `icon` in an arch. */
  readonly before?: ReactNode;
  readonly icon?: IconName;
  readonly tone?: "amber" | "brick" | "soft" | undefined;
  /** Unless given: where there is a link. */
  readonly chevron?: boolean;
  readonly danger?: boolean;
  readonly href?: string;
  readonly disabled?: boolean;
  /** The row of what is shown beside the list. */
  readonly current?: boolean;
  onClick?: () => void;
};

export function Cell(props: CellProps) {
  const { href, onClick, disabled, icon, before, after, subtitle, danger } = props;
  const pressed = { type: "button", onClick, disabled };
  const opened = { href, onClick, "aria-current": props.current ? ("true" as const) : undefined };
  const Element = (href !== undefined ? Link : onClick ? "button" : "div") as "a";
  const look = classes(
    content.cell,
    (href !== undefined || onClick !== undefined) && content.pressable,
    danger && content.sectionDanger,
  );
  return (
    <Element className={look} {...(href !== undefined ? opened : onClick ? pressed : {})}>
      {icon ? <Arch icon={icon} tone={props.tone ?? (danger ? "brick" : undefined)} /> : before}
      <span className={content.flow}>
        <span className={content.name}>{props.title}</span>
        {subtitle ? <span className={content.subtitle}>{subtitle}</span> : null}
        {after !== undefined ? <span className={content.after}>{after}</span> : null}
      </span>
      {(props.chevron ?? href !== undefined) ? (
        <span className={content.chevron}>
          <Icon name="chevron" size={18} />
        </span>
      ) : null}
    </Element>
  );
}

/** A title that opens its content. */
export function Fold(props: { title: ReactNode; open?: boolean; children: ReactNode }) {
  return (
    <details className={content.item} open={props.open}>
      <summary>
        {props.title}
        <Icon name="down" size={18} />
      </summary>
      {props.children}
    </details>
  );
}
