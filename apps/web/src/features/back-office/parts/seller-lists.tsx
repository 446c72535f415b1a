import type { DeskSellerOnWire } from "@sesame/contract/back-office";
import { useState } from "react";
import { formatFcfa } from "../../../lib/format.ts";
import { sayShortInstant } from "../../../lib/time-words.fr.ts";
import { Badge } from "../../../kit/badge.tsx";
import { Button } from "../../../kit/button.tsx";
import { Cell, Section } from "../../../kit/section.tsx";
import styles from "../seller.module.css";
import { sellerCopy as copy } from "../people-messages.fr.ts";
import { AlertCard } from "../alerts.tsx";
import { MeasureSheet } from "./seller-measures.tsx";

type Product = DeskSellerOnWire["products"][number];

export function SellerProducts({ seller }: { seller: DeskSellerOnWire }) {
  return (
    <Section title={copy.products}>
      {seller.products.length === 0 ? <Cell title={copy.none} /> : null}
      {seller.products.map((product) => (
        <ProductRow key={product.id} product={product} />
      ))}
    </Section>
  );
}

function ProductRow({ product }: { product: Product }) {
  const [open, setOpen] = useState<"suspend" | "resume" | null>(null);
  const { may, suspended } = product;
  const words = [formatFcfa(product.price), product.reference, copy.sold30(product.sales_30_days)];
  return (
    <div className={styles.product}>
      <p className={styles.productTop}>
        <span className={styles.productName}>{product.title}</span>
        <Badge tone={suspended ? "danger" : product.on_sale ? "positive" : "neutral"}>
          {suspended
            ? copy.suspended
            : product.archived
              ? copy.archived
              : product.on_sale
                ? copy.onSale
                : copy.offSale}
        </Badge>
      </p>
      <p className={styles.small}>{words.join(" · ")}</p>
      {product.reports > 0 ? (
        <p className={styles.small}>
          <Badge tone="warning">{copy.reports(product.reports)}</Badge>
        </p>
      ) : null}
      {suspended?.reason ? <p className={styles.small}>« {suspended.reason} »</p> : null}
      {may.suspend.allowed || may.resume.allowed ? (
        <div className={styles.productButtons}>
          {may.suspend.allowed ? (
            <Button size="small" look="danger-tinted" onClick={() => setOpen("suspend")}>
              {copy.actions.suspendProduct}
            </Button>
          ) : null}
          {may.resume.allowed ? (
            <Button size="small" look="tinted" onClick={() => setOpen("resume")}>
              {copy.actions.resumeProduct}
            </Button>
          ) : null}
        </div>
      ) : null}
      {open ? (
        <MeasureSheet
          name={`POST /api/desk/products/:id/${open}`}
          id={product.id}
          words={copy.sheets[`${open}Product`]}
          confirm={copy.actions[`${open}Product`]}
          begins={open === "suspend"}
          onClose={() => setOpen(null)}
        />
      ) : null}
    </div>
  );
}

export function SellerGroups({ seller }: { seller: DeskSellerOnWire }) {
  return (
    <Section title={copy.groups}>
      {seller.groups.length === 0 ? <Cell title={copy.none} /> : null}
      <ul>
        {seller.groups.map((group) => (
          <li key={group.id}>
            <Cell
              title={group.title}
              subtitle={group.members === null ? undefined : copy.members(group.members)}
              after={
                <Badge tone={group.healthy ? "positive" : "warning"}>
                  {group.healthy ? copy.healthy : copy.unhealthy}
                </Badge>
              }
            />
          </li>
        ))}
      </ul>
    </Section>
  );
}

export function SellerAlerts({ seller }: { seller: DeskSellerOnWire }) {
  if (seller.alerts.length === 0) return null;
  return (
    <section className={styles.alerts} aria-label={copy.alerts}>
      {seller.alerts.map((alert) => (
        <AlertCard key={alert.id} alert={alert} />
      ))}
    </section>
  );
}

export function SellerAudit({ seller }: { seller: DeskSellerOnWire }) {
  if (seller.audit.length === 0) return null;
  return (
    <Section title={copy.audit}>
      <ul>
        {seller.audit.map((row) => (
          <li key={row.seq}>
            <Cell
              title={row.label}
              subtitle={[sayShortInstant(row.at), row.actor?.name, row.reason]
                .filter(Boolean)
                .join(" · ")}
            />
          </li>
        ))}
      </ul>
    </Section>
  );
}
