import { fireEvent, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderScreen } from "../../testing/screen.tsx";
import { answerCalls, good } from "../../testing/web-server.ts";
import { Search } from "./search.tsx";

test("what is found is listed by kind, each leading to its sheet", async () => {
  const none = { items: [], next_cursor: null };
  const seller = {
    id: "7",
    name: "Awa Koné",
    username: null,
    telegram_id: 5_002,
    type_plan: "payant",
    closed: false,
    suspended: false,
    frozen: false,
  };
  const withdrawal = {
    id: "41",
    reference: "RT-41",
    amount: 5_000,
    status: "pending",
    phone: "+2250701020304",
    seller: { id: "7", name: "Awa Koné" },
    created_at: "2026-11-20T10:00:00.000Z",
  };
  const payment = {
    id: "51",
    order_id: "12",
    provider: "paydunya",
    provider_payment_id: "abc",
    amount: 5_000,
    status: "paid",
    created_at: "2026-11-20T10:00:00.000Z",
  };
  const found = {
    sellers: { items: [seller], next_cursor: null },
    withdrawals: { items: [withdrawal], next_cursor: null },
    orders: none,
    payments: { items: [payment], next_cursor: null },
    refunds: none,
    products: none,
  };
  answerCalls(() => good({ now: "", ...found }));
  renderScreen(<Search />);
  fireEvent.change(screen.getByRole("searchbox"), { target: { value: "Awa" } });
  const link = await screen.findByRole("link", { name: /^Awa Koné/ });
  expect(link.getAttribute("href")).toBe("/bureau/vendeurs/7");
  screen.getByRole("link", { name: /^RT-41 · 5\s000\sFCFA/ });
  screen.getByRole("link", { name: /^PayDunya · 5\s000\sFCFA/ });
});
