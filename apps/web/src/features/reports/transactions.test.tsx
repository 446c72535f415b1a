import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { exampleMovement } from "../../testing/money-examples.ts";
import { renderScreen } from "../../testing/screen.tsx";
import { answerCalls, good } from "../../testing/web-server.ts";
import { exampleTransaction } from "../../testing/wire-examples.ts";
import { Transactions, transactionsCsv } from "./transactions.tsx";

const page = (transactions: unknown[], next_cursor: string | null = null) =>
  good({ transactions, next_cursor });

test("sales, payouts and returns stand together; a touch opens the whole of one", async () => {
  answerCalls(() =>
    page([
      exampleTransaction({ id: "45" }),
      exampleMovement({ id: "w45", status: "failed", motif: "Numéro inconnu" }),
      exampleMovement({ id: "r45", type: "return" }),
    ]),
  );
  renderScreen(<Transactions />);
  await screen.findByText(/\+5\s000\sFCFA/);
  screen.getByText(/\+4\s100\sFCFA/);
  fireEvent.click(screen.getByRole("button", { name: /^Retrait\s*Orange/ }));
  screen.getByText("Numéro inconnu");
  screen.getByText("RT-000045");
});

test("each says how it stands, in the words of its status", async () => {
  const words = [
    ["success", "Complété"],
    ["pending", "En attente"],
    ["failed", "Échec"],
    ["refunded", "Remboursé"],
    ["cancelled", "Annulé"],
  ] as const;
  answerCalls(() => page(words.map(([status]) => exampleTransaction({ id: status, status }))));
  renderScreen(<Transactions />);
  const rows = await screen.findAllByRole("listitem");
  expect(rows).toHaveLength(words.length);
  for (const [at, row] of rows.entries()) within(row).getByText(words[at]?.[1] ?? "");
});

test("a search, a period and a status are asked of the server, the search once it is typed", async () => {
  const log = answerCalls(() => page([]));
  renderScreen(<Transactions />);
  await screen.findByText("Vos ventes et vos retraits apparaîtront ici.");
  const offered = (name: string) =>
    within(screen.getByRole("radiogroup", { name }))
      .getAllByRole("radio")
      .map((radio) => radio.parentElement?.textContent);
  expect(offered("Période")).toEqual(["Tout", "Aujourd'hui", "Cette semaine", "Ce mois"]);
  const statuses = ["Tous", "Complété", "En attente", "Échec", "Remboursé", "Annulé"];
  expect(offered("Statut")).toEqual(statuses);
  const search = screen.getByRole("searchbox");
  for (const typed of ["K", "Ko", "Kof"]) fireEvent.change(search, { target: { value: typed } });
  fireEvent.click(screen.getByLabelText("Cette semaine"));
  fireEvent.click(screen.getByLabelText("Échec"));
  await screen.findByText("Rien ne correspond à ces filtres.");
  await waitFor(() => {
    const asked = new URL(log.at(-1)?.path ?? "", "http://app").searchParams;
    const wanted = { q: "Kof", periode: "week", statut: "failed", limit: "20", type: "all" };
    expect(Object.fromEntries(asked)).toEqual(wanted);
  });
  expect(log.some(({ path }) => /q=K(o)?&/.test(path))).toBe(false);
  fireEvent.click(screen.getByRole("button", { name: "Effacer les filtres" }));
  await screen.findByText("Vos ventes et vos retraits apparaîtront ici.");
});

test("the export holds every page under the same filters", async () => {
  const log = answerCalls(({ path }) =>
    path.includes("cursor=next")
      ? page([exampleMovement()])
      : page([exampleTransaction()], path.includes("limit=100") ? "next" : null),
  );
  const shared: File[] = [];
  vi.stubGlobal("navigator", {
    canShare: () => true,
    share: async ({ files }: { files: File[] }) => void shared.push(...files),
  });
  renderScreen(<Transactions />);
  fireEvent.click(await screen.findByRole("button", { name: "Exporter en CSV" }));
  await waitFor(() => expect(shared).toHaveLength(1));
  const text = (await shared[0]?.text()) ?? "";
  expect(text.trimEnd().split("\r\n")).toHaveLength(3);
  expect(log.filter(({ path }) => path.includes("limit=100"))).toHaveLength(2);
});

test("the last column of the spreadsheet adds up to the balance, whatever became of each", () => {
  const gone = { status: "failed", amount: 1_010, balance_change: -1_010 } as const;
  const items = [
    exampleTransaction(),
    exampleTransaction({ direct: true, balance_change: 0 }),
    exampleMovement(gone),
    exampleMovement({ type: "return", amount: 1_010 }),
    exampleMovement({ status: "cancelled", balance_change: 0 }),
    exampleMovement({ status: "pending", balance_change: 0 }),
    exampleMovement({ type: "transfer", status: "success" }),
  ];
  const lines = transactionsCsv(items).trimEnd().split("\r\n").slice(1);
  const cells = lines.map((line) => line.split(";"));
  expect(cells.reduce((sum, line) => sum + Number(line.at(-1)), 0)).toBe(4_100);
  expect(cells.map(([, type, , amount, , net]) => [type, amount, net])).toEqual([
    ["Vente", "5000", "4100"],
    ["Vente encaissée directement", "5000", "4100"],
    ["Retrait", "-1010", "-4100"],
    ["Retour de retrait", "1010", "4100"],
    ["Retrait", "4100", "0"],
    ["Retrait", "-4100", "-4100"],
    ["Changement de plan", "4100", "0"],
  ]);
  expect(cells[0]?.[0]).toMatch(/^20\/11\/2026 \d\d:00$/);
});

test("a spreadsheet adds the amounts up, and runs no name as a formula", () => {
  const lines = transactionsCsv([
    exampleTransaction({ nomClient: "=cmd|'/c calc'!A1" }),
    exampleMovement(),
    exampleMovement({ type: "return" }),
  ]).split("\r\n");
  expect(lines[1]).toContain(";'=cmd|'/c calc'!A1;");
  expect(lines[2]).toContain("Retrait;Complété;-4100;0;-4100");
  expect(lines[3]).toContain("Retour de retrait;Complété;4100;");
});
