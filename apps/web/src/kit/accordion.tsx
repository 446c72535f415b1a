import type { ReactNode } from "react";
import styles from "./content.module.css";
import { Icon } from "./icons.tsx";

type AccordionItem = { readonly question: string; readonly answer: string };

/** A title that opens on what is below it. */
export function Fold(props: { title: ReactNode; open?: boolean; children: ReactNode }) {
  return (
    <details className={styles.item} open={props.open}>
      <summary>
        {props.title}
        <Icon name="down" size={18} />
      </summary>
      {props.children}
    </details>
  );
}

/** Questions that open on their answers, inside a section. */
export function Accordion({ items }: { items: readonly AccordionItem[] }) {
  return items.map((item) => (
    <Fold key={item.question} title={item.question}>
      <p>{item.answer}</p>
    </Fold>
  ));
}
