import { type ReactNode, useId, useState } from "react";
import { Link } from "wouter";
import { classes } from "../lib/text.ts";
import { haptic } from "../telegram/native.ts";
import { Icon, type IconName, Spinner } from "./icons.tsx";
import { Text } from "./layout.tsx";
import { kitCopy } from "./messages.fr.ts";
import controls from "./controls.module.css";
import content from "./content.module.css";

export type ButtonProps = {
  readonly children: ReactNode;
  readonly look?:
    | "filled"
    | "tinted"
    | "plain"
    | "danger"
    | "danger-tinted"
    | "on-brand"
    | "on-brand-tinted"
    | undefined;
  readonly size?: "large" | "small";
  readonly icon?: IconName | undefined;
  readonly busy?: boolean;
  readonly disabled?: boolean;
  /** Why it cannot be pressed yet: written below it. */
  readonly lack?: string | null;
  readonly type?: "button" | "submit";
  /** Its address: a button that can be pressed is a link. */
  readonly href?: string;
  onClick?: () => void;
};

export function Button({
  children,
  look = "filled",
  size = "large",
  icon,
  busy = false,
  disabled = false,
  lack = null,
  type = "button",
  href,
  onClick,
}: ButtonProps) {
  const lackId = useId();
  const dress = classes(controls.button, controls[look], size === "small" && controls.small);
  const grey = disabled || busy || lack !== null;
  if (href !== undefined && !grey) {
    return (
      <Link href={href} className={dress}>
        {icon ? <Icon name={icon} size={20} /> : null}
        <span>{children}</span>
      </Link>
    );
  }
  return (
    <>
      <button
        type={type}
        className={dress}
        disabled={grey}
        aria-describedby={lack === null ? undefined : lackId}
        aria-busy={busy || undefined}
        onClick={onClick}
      >
        {busy ? <Spinner /> : icon ? <Icon name={icon} size={20} /> : null}
        <span>{children}</span>
      </button>
      {lack === null ? null : (
        <Text id={lackId} size="small" tone="soft" center>
          {lack}
        </Text>
      )}
    </>
  );
}

type Looked = Omit<ButtonProps, "look">;

export const TintedButton = (props: Looked) => <Button look="tinted" {...props} />;

export const PlainButton = (props: Looked) => <Button look="plain" {...props} />;

/** A button that is only a drawing: a screen reader says its name. */
export function IconButton(props: {
  icon: IconName;
  label: string;
  pressed?: boolean;
  busy?: boolean;
  onClick: () => void;
}) {
  return (
    <button
      type="button"
      className={controls.icon}
      aria-label={props.label}
      title={props.label}
      aria-pressed={props.pressed}
      aria-busy={props.busy || undefined}
      disabled={props.busy}
      onClick={props.onClick}
    >
      {props.busy ? <Spinner /> : <Icon name={props.icon} />}
    </button>
  );
}

/** → whether `run` is under way, and what starts it. */
export function useBusy(run: () => Promise<unknown>) {
  const [busy, setBusy] = useState(false);
  const start = () => {
    setBusy(true);
    void run().finally(() => setBusy(false));
  };
  return [busy, start] as const;
}

export function RefreshButton({ run }: { run(): Promise<unknown> }) {
  const [busy, start] = useBusy(run);
  return <IconButton icon="refresh" label={kitCopy.refresh} busy={busy} onClick={start} />;
}

export function Switch(props: {
  label: string;
  checked: boolean;
  disabled?: boolean;
  onChange(checked: boolean): void;
}) {
  return (
    <button
      type="button"
      role="switch"
      className={controls.switch}
      aria-checked={props.checked}
      aria-label={props.label}
      disabled={props.disabled}
      onClick={() => {
        haptic("selection");
        props.onChange(!props.checked);
      }}
    >
      <span className={controls.knob} />
    </button>
  );
}

export type BadgeTone = "positive" | "warning" | "danger" | "accent" | "neutral" | "on-brand";

export function Badge({ tone, children }: { tone: BadgeTone; children: ReactNode }) {
  return <span className={classes(content.badge, content[tone])}>{children}</span>;
}

type BannerTone = "warning" | "danger" | "accent";

/** Several banners as data: those whose condition holds. */
export function Banners(props: {
  of: readonly (readonly [tone: BannerTone, icon: IconName, words: ReactNode] | false | null)[];
}) {
  return props.of.map((each, at) =>
    each ? (
      <Banner key={at} tone={each[0]} icon={each[1]}>
        {each[2]}
      </Banner>
    ) : null,
  );
}

export type Mark = readonly [tone: BadgeTone, label: string];

/** A badge for each mark that holds. */
export function Marks({ of }: { of: readonly (Mark | false | null | undefined)[] }) {
  return of.map((mark) =>
    mark ? (
      <Badge key={mark[1]} tone={mark[0]}>
        {mark[1]}
      </Badge>
    ) : null,
  );
}

/** A notice above the content that stays as long as its cause. */
export function Banner(props: {
  tone?: BannerTone;
  icon?: IconName;
  children: ReactNode;
  /** A link by its address, or a button by what it does. */
  action?: readonly [label: string, to: string | (() => void)] | undefined;
}) {
  const [label, to] = props.action ?? [];
  return (
    <div className={classes(content.banner, content[props.tone ?? "warning"])} role="status">
      <Icon name={props.icon ?? "warning"} size={20} />
      <div className={content.words}>{props.children}</div>
      {typeof to === "string" ? <Link href={to}>{label}</Link> : null}
      {typeof to === "function" ? (
        <button type="button" onClick={to}>
          {label}
        </button>
      ) : null}
    </div>
  );
}
