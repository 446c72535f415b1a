import { useChannels, useProducts } from "../../../lib/use-seller.ts";
import { Icon } from "../../../kit/icons.tsx";
import { Cell, Section } from "../../../kit/section.tsx";
import { homeCopy } from "../home-messages.fr.ts";
import styles from "../reports.module.css";

const copy = homeCopy.steps;

/** What a newcomer does next; gone with the first sale. */
export function FirstSteps() {
  const channels = useChannels().data;
  const products = useProducts().data;
  if (!channels || !products) return null;
  const hasGroup = channels.length > 0;
  const hasProduct = products.length > 0;
  if (products.some((product) => product.sales > 0)) return null;
  const shareAt = products[0] ? `/ProductCard/${products[0].id}` : undefined;
  const steps = [
    { title: copy.linkGroup, text: copy.linkGroupText, done: hasGroup, href: "/relierbot" },
    {
      title: copy.createProduct,
      text: copy.createProductText,
      done: hasProduct,
      href: hasGroup ? "/soni" : undefined,
    },
    { title: copy.share, text: copy.shareText, done: false, href: shareAt },
  ];
  const next = steps.findIndex((step) => !step.done);
  return (
    <Section title={copy.title}>
      {steps.map((step, index) => (
        <Cell
          key={step.title}
          before={
            <span className={styles.step} data-done={step.done || undefined}>
              {step.done ? <Icon name="check" size={18} /> : index + 1}
              <span className="only-heard">{step.done ? copy.done : copy.todo}</span>
            </span>
          }
          title={<span data-muted={step.done || undefined}>{step.title}</span>}
          subtitle={step.done ? undefined : step.text}
          {...(index === next && step.href ? { href: step.href, chevron: true } : {})}
        />
      ))}
    </Section>
  );
}
