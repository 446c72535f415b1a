import { useLocation } from "wouter";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Icon } from "../../../ui/icons.tsx";
import { Section } from "../../../ui/section.tsx";
import { developersCopy as copy } from "../messages.fr.ts";
import styles from "../developers.module.css";

/** On the free plan: what premium offers, and the way to it. */
export function Offer() {
  const [, navigate] = useLocation();
  return (
    <>
      <EmptyState
        drawing="link"
        title={copy.offer.title}
        text={copy.offer.text}
        action={<Button onClick={() => navigate("/Plans")}>{copy.plans}</Button>}
      />
      <Section>
        <ul className={styles.points}>
          {copy.offer.points.map((point) => (
            <li key={point}>
              <Icon name="check" size={20} />
              <span>{point}</span>
            </li>
          ))}
        </ul>
      </Section>
    </>
  );
}
