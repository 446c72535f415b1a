import styles from "./content.module.css";
import { Icon } from "./icons.tsx";

export type AccordionItem = { readonly question: string; readonly answer: string };

/** Questions that open on their answers, inside a section. */
export function Accordion({ items }: { items: readonly AccordionItem[] }) {
  return items.map((item) => (
    <details key={item.question} className={styles.item}>
      <summary>
        {item.question}
        <Icon name="down" size={18} />
      </summary>
      <p>{item.answer}</p>
    </details>
  ));
}
