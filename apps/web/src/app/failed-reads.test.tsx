import { fireEvent, screen, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, test } from "vitest";
import { ChooseGroup } from "../features/catalogue/choose-group.tsx";
import { NewProduct } from "../features/catalogue/new-product.tsx";
import { ProductCard } from "../features/catalogue/product-card.tsx";
import { GroupDetail } from "../features/groups/group-detail.tsx";
import { PaymentSheet } from "../features/payment-accounts/sheets.tsx";
import { Transactions } from "../features/reports/transactions.tsx";
import { AutomaticCard } from "../features/withdrawals/automatic-card.tsx";
import { exampleLimits } from "../testing/money-examples.ts";
import { type Known, renderScreen } from "../testing/screen.tsx";
import { answerCalls, good } from "../testing/web-server.ts";
import {
  exampleChannel,
  exampleProduct,
  exampleTransaction,
  exampleUser,
} from "../testing/wire-examples.ts";

const GROUP = { channels: [exampleChannel()] };

const CASES: readonly {
  readonly what: string;
  readonly shown: ReactNode;
  readonly unread: string;
  readonly known?: Known;
}[] = [
  {
    what: "the products of a group",
    shown: <GroupDetail idGroup="-1001000000001" name="Club" />,
    unread: "/api/products/seller/7",
    known: GROUP,
  },
  {
    what: "the groups to choose from",
    shown: <ChooseGroup onClose={() => undefined} />,
    unread: "/api/channels",
  },
  {
    what: "the group of a new product",
    shown: <NewProduct idGroup="-999" />,
    unread: "/api/channels",
  },
  {
    what: "the sales of a product",
    shown: <ProductCard id="7" />,
    unread: "/api/subscriptions",
    known: { ...GROUP, products: [exampleProduct({ id: "7" })] },
  },
  {
    what: "the automatic payout",
    shown: <AutomaticCard live limits={exampleLimits()} />,
    unread: "/api/users/paiement",
  },
  { what: "the ways to be paid", shown: <PaymentSheet />, unread: "/api/user-aggregators/7" },
];

test.each(CASES)("$what are asked for again by a tap when they cannot be read", async (of) => {
  const { shown, unread, known } = of;
  const log = answerCalls(() => ({ status: 400, body: { success: false } }));
  renderScreen(shown, { known: { user: exampleUser(), ...known } });
  const asked = () => log.filter(({ path }) => path.startsWith(unread)).length;
  const again = await screen.findByRole("button", { name: "Réessayer" });
  const before = asked();
  fireEvent.click(again);
  await waitFor(() => expect(asked()).toBe(before + 1));
});

test("the order of a sale is asked for again by a tap when it cannot be read", async () => {
  const log = answerCalls(({ path }) =>
    path.startsWith("/api/transactions")
      ? good({ transactions: [exampleTransaction()], next_cursor: null })
      : { status: 400, body: { success: false } },
  );
  renderScreen(<Transactions />);
  fireEvent.click(await screen.findByRole("button", { name: /FCFA/ }));
  fireEvent.click(await screen.findByRole("button", { name: "Réessayer" }));
  const asked = () => log.filter(({ path }) => path.startsWith("/api/orders/"));
  await waitFor(() => expect(asked()).toHaveLength(2));
});
