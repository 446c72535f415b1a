import type { ReactNode } from "react";
import css from "./parts.module.css";

type SectionProps = { title?: string; hint?: string | undefined; children: ReactNode };

export function Section({ title, hint, children }: SectionProps) {
  return (
    <section className={css.section} aria-label={title}>
      {title !== undefined && <h3 className={css.sectionTitle}>{title}</h3>}
      <div className={css.cells}>{children}</div>
      {hint !== undefined && <p className={css.hint}>{hint}</p>}
    </section>
  );
}

type CellProps = {
  title: string;
  subtitle?: string | undefined;
  before?: ReactNode;
  after?: ReactNode;
  tone?: "plain" | "accent" | "danger";
  /** Name for whoever does not see the cell, when its title says too little. */
  label?: string | undefined;
  onClick?: () => void;
};

export function Cell({
  title,
  subtitle,
  before,
  after,
  tone = "plain",
  label,
  onClick,
}: CellProps) {
  const inside = (
    <>
      {before}
      <span className={css.cellWords}>
        <span className={css.cellTitle} data-tone={tone}>
          {title}
        </span>
        {subtitle !== undefined && <span className={css.cellSubtitle}>{subtitle}</span>}
      </span>
      {after}
    </>
  );
  if (onClick === undefined) return <div className={css.cell}>{inside}</div>;
  return (
    <button type="button" className={css.cellButton} aria-label={label} onClick={onClick}>
      {inside}
    </button>
  );
}

type SwitchProps = { label: string; checked: boolean; onChange: (checked: boolean) => void };

export function SwitchCell({ label, checked, onChange }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      className={css.cellButton}
      onClick={() => onChange(!checked)}
    >
      <span className={css.cellWords}>{label}</span>
      <span className={css.switch} data-on={checked} aria-hidden="true" />
    </button>
  );
}
