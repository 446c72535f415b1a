import type { StatisticsAnswer } from "@sesame/contract/reports";
import { Link } from "wouter";
import { formatFcfa, formatNumber } from "../../../lib/format.ts";
import { Section } from "../../../kit/section.tsx";
import { statisticsCopy as copy } from "../messages.fr.ts";
import { Line, Text } from "../../../kit/layout.tsx";
import styles from "../statistics.module.css";

type Share = NonNullable<StatisticsAnswer["autres_produits"]>;

/** What each product brought: its bar is its part of the period's net revenue. */
export function ProductShares(props: {
  products: StatisticsAnswer["produits"];
  others: StatisticsAnswer["autres_produits"];
}) {
  return (
    <Section title={copy.products}>
      <ul>
        {props.products.map((product) => (
          <li key={product.id}>
            <Link href={`/ProductCard/${product.id}`} className={styles.share}>
              <ShareRow name={product.titre} share={product} />
            </Link>
          </li>
        ))}
        {props.others ? (
          <li>
            <div className={styles.share}>
              <ShareRow name={copy.otherProducts} share={props.others} />
            </div>
          </li>
        ) : null}
      </ul>
    </Section>
  );
}

function ShareRow({ name, share }: { name: string; share: Share }) {
  const percent = copy.percent(formatNumber(share.part));
  return (
    <>
      <Line as="span" between>
        <Text as="span" clamp strong>
          {name}
        </Text>
        <strong>{formatFcfa(share.net)}</strong>
      </Line>
      <span className={styles.track} aria-hidden="true">
        <span className={styles.part} style={{ width: `${Math.max(1, share.part)}%` }} />
      </span>
      <Text as="span" size="tiny" tone="soft">
        {copy.share(percent)} · {copy.salesCount(formatNumber(share.ventes), share.ventes > 1)}
      </Text>
    </>
  );
}
