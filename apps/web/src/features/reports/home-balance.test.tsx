import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { keys } from "../../lib/resources.ts";
import { renderScreen } from "../../testing/screen.tsx";
import { answerCalls } from "../../testing/web-server.ts";
import { exampleTransaction, exampleUser } from "../../testing/wire-examples.ts";
import { Home } from "./home.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function open(user: Parameters<typeof exampleUser>[0], count: number): void {
  const transactions = Array.from({ length: count }, (_, at) =>
    exampleTransaction({ id: String(at), nomClient: `Client ${at}` }),
  );
  answerCalls(({ path }) =>
    path.startsWith("/api/transactions")
      ? { status: 200, body: { success: true, transactions, next_cursor: null } }
      : { status: 400, body: {} },
  );
  renderScreen(<Home />, { known: [[keys.user, exampleUser(user)]] });
}

// @shows A6.balance-shown, B2.plan-gratuit, B2.plan-premium, A5.balance-numeric
test("shows the balance of the plan one has, and what is no number as zero", async () => {
  const both = { balanceGratuit: 4_100, balancePayant: 9_000 };
  open({ ...both, soldeDisponible: 4_100 }, 0);
  screen.getByText("Plan Gratuit");
  screen.getByText("4 100", { exact: false });
  cleanup();
  open({ ...both, type_plan: "payant", soldeDisponible: 8_000 }, 0);
  screen.getByText("Plan Premium");
  screen.getByText(/Solde total : 9\s000\sFCFA/);
  cleanup();
  const nonsense = "beaucoup" as unknown as number;
  open({ balanceGratuit: nonsense, soldeDisponible: nonsense }, 0);
  screen.getByText("0");
});

// @shows B9.recent-transactions, A9.currency, B9.currency
test("shows the four newest transactions, in francs as people write them", async () => {
  open({}, 6);
  await screen.findByText(/Client 0/);
  expect(screen.getAllByText(/Client \d/)).toHaveLength(4);
  expect(document.body.textContent).toContain("5\u202f000\u00a0FCFA");
});

// @shows B2.aucune-transaction, B8.empty-states
test("without any says so", async () => {
  open({}, 0);
  await screen.findByText("Aucune transaction");
});
