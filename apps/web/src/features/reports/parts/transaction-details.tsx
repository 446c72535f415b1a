import type {
  HistoryItemOnWire,
  MovementOnWire,
  TransactionOnWire,
} from "@sesame/contract/reports";
import { groupPhone } from "@sesame/contract/withdrawals";
import { useLocation } from "wouter";
import { formatFcfa, formatInstant, formatNumber, keepTogether } from "../../../lib/format.ts";
import { Button } from "../../../kit/button.tsx";
import { type Fact, Facts } from "../../../kit/facts.tsx";
import { Stack, Text } from "../../../kit/layout.tsx";
import { Sheet } from "../../../kit/modal.tsx";
import { nameSale } from "../name-sale.ts";
import { reportsCopy } from "../home-messages.fr.ts";
import { SaleRefund } from "./sale-refund.tsx";
import { StatusBadge } from "./status-badge.tsx";

const copy = reportsCopy.details;

/** One transaction, whole (B §2). */
export function TransactionDetails(props: { item: HistoryItemOnWire; onClose(): void }) {
  const { item, onClose } = props;
  const [, navigate] = useLocation();
  const next = nextOf(item);
  const title = item.type === "income" ? item.nomClient : reportsCopy.movement[item.type];
  return (
    <Sheet title={title} onClose={onClose}>
      <Stack>
        {item.type === "return" ? (
          <Text tone="soft" center>
            {copy.returnedText}
          </Text>
        ) : null}
        {item.type === "income" && item.direct ? (
          <Text tone="soft" center>
            {copy.directText}
          </Text>
        ) : null}
        <Facts
          facts={[
            { name: copy.status, value: <StatusBadge status={item.status} /> },
            { name: copy.date, value: formatInstant(item.date) },
            ...(item.type === "income" ? saleFacts(item) : movementFacts(item)),
          ]}
        />
        {item.type === "income" ? <SaleRefund sale={item} /> : null}
        <Button
          look="tinted"
          onClick={() => {
            onClose();
            navigate(next.to);
          }}
        >
          {next.label}
        </Button>
      </Stack>
    </Sheet>
  );
}

function nextOf(item: HistoryItemOnWire): { to: string; label: string } {
  switch (item.type) {
    case "income":
      return { to: `/ProductCard/${item.idProduit}`, label: copy.seeProduct };
    case "transfer":
      return { to: "/Plans", label: copy.seePlans };
    default:
      return { to: "/HistoriqueRetraits", label: copy.seeWithdrawals };
  }
}

function saleFacts(sale: TransactionOnWire): Fact[] {
  const split = [
    { name: copy.fee, value: formatFcfa(sale.frais) },
    {
      name: sale.status === "refunded" ? copy.netTakenBack : copy.net,
      value: formatFcfa(sale.net),
      strong: true,
    },
  ];
  return [
    { name: copy.amount, value: formatFcfa(sale.amount) },
    ...(sale.direct
      ? [{ name: copy.direct, value: formatFcfa(sale.amount), strong: true }]
      : split),
    { name: copy.product, value: sale.produitNom },
    { name: copy.buyer, value: sale.nomClient },
    { name: copy.kind, value: nameSale(sale) },
    ...(sale.duration > 0 ? [{ name: copy.duration, value: sayMinutes(sale.duration) }] : []),
    { name: copy.number, value: sale.id },
  ];
}

function movementFacts(movement: MovementOnWire): Fact[] {
  if (movement.type === "transfer") {
    return [
      { name: copy.moved, value: formatFcfa(movement.amount), strong: true },
      { name: copy.way, value: movement.methode_nom },
      { name: copy.reference, value: movement.reference_transaction },
    ];
  }
  const amount = movement.type === "return" ? copy.returned : copy.sent;
  return [
    { name: amount, value: formatFcfa(movement.amount), strong: true },
    { name: copy.fee, value: formatFcfa(movement.frais) },
    { name: copy.method, value: movement.methode_nom },
    { name: copy.phone, value: keepTogether(groupPhone(movement.numero_transfert)) },
    ...(movement.motif ? [{ name: copy.reason, value: movement.motif }] : []),
    { name: copy.reference, value: movement.reference_transaction },
  ];
}

/** Decision 37: as people say it. */
function sayMinutes(minutes: number): string {
  if (minutes % 1_440 === 0) {
    const days = minutes / 1_440;
    return days === 1 ? "24 h" : `${formatNumber(days)} jours`;
  }
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`;
}
