import type { PlaceWaitAnswer } from "@sesame/contract/checkout";
import { type ReactNode, useCallback, useEffect, useState } from "react";
import { formatInstant } from "../../lib/format.ts";
import { lineCopy as copy } from "./line-copy.fr.ts";
import styles from "./product-page.module.css";

export type LineAct = "GET" | "POST" | "DELETE";

export type PlaceLineProps = {
  ask(act: LineAct): Promise<PlaceWaitAnswer>;
  /** Whether the bot may write to the reader, who is asked for it when not. */
  mayWrite(): Promise<boolean>;
  onBuy(): void;
};

type Step =
  | { readonly at: "loading" }
  | { readonly at: "failed"; readonly act: LineAct }
  | { readonly at: "known"; readonly standing: PlaceWaitAnswer; readonly silent: boolean };

/** « Complet »: to be told of a place, to wait for it, to take it. */
export function PlaceLine({ ask, mayWrite, onBuy }: PlaceLineProps) {
  const [step, setStep] = useState<Step>({ at: "loading" });
  const run = useCallback(
    async (act: LineAct) => {
      setStep({ at: "loading" });
      try {
        const standing = await ask(act);
        setStep({ at: "known", standing, silent: false });
        // Told by nobody, he would wait in vain.
        if (act !== "POST" || (await mayWrite())) return;
        setStep({ at: "known", standing, silent: true });
      } catch {
        // What may have changed meanwhile is read again: a place that is free now, above all.
        const standing = act === "GET" ? null : await ask("GET").catch(() => null);
        if (standing?.state === "free") setStep({ at: "known", standing, silent: false });
        else setStep({ at: "failed", act });
      }
    },
    [ask, mayWrite],
  );
  useEffect(() => void run("GET"), [run]);
  switch (step.at) {
    case "loading":
      return <Words title={copy.loading} />;
    case "failed":
      return (
        <Words title={copy.failed}>
          <Act name={copy.retry} onPress={() => void run(step.act)} />
        </Words>
      );
    case "known":
      return <Standing step={step} run={(act) => void run(act)} onBuy={onBuy} />;
  }
}

type Known = Extract<Step, { at: "known" }>;

function Standing(props: { step: Known; run(act: LineAct): void; onBuy(): void }) {
  const { step, run, onBuy } = props;
  const { state, position, held_until: heldUntil } = step.standing;
  switch (state) {
    case "none":
      return (
        <Words title={copy.full} text={copy.fullText}>
          <Act name={copy.tellMe} onPress={() => run("POST")} />
        </Words>
      );
    case "waiting":
      return (
        <Words title={copy.waiting} text={step.silent ? copy.silent : copy.position(position ?? 1)}>
          {step.silent ? <Act name={copy.allow} onPress={() => run("POST")} /> : null}
          <Act name={copy.leave} quiet onPress={() => run("DELETE")} />
        </Words>
      );
    case "held":
      return (
        <Words title={copy.held} text={copy.until(formatInstant(heldUntil ?? ""))}>
          <Act name={copy.take} onPress={onBuy} />
          <Act name={copy.giveUp} quiet onPress={() => run("DELETE")} />
        </Words>
      );
    case "free":
      return (
        <Words title={copy.free}>
          <Act name={copy.buy} onPress={onBuy} />
        </Words>
      );
  }
}

function Words(props: { title: string; text?: string; children?: ReactNode }) {
  return (
    <>
      <p className={styles.underWay} role="status">
        <strong>{props.title}</strong>
        {props.text ? (
          <>
            <br />
            {props.text}
          </>
        ) : null}
      </p>
      {props.children}
    </>
  );
}

function Act(props: { name: string; quiet?: boolean; onPress(): void }) {
  return (
    <button
      className={props.quiet ? styles.report : styles.buy}
      type="button"
      onClick={props.onPress}
    >
      {props.name}
    </button>
  );
}
