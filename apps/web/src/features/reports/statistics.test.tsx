import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { type Known, renderScreen } from "../../testing/screen.tsx";
import { exampleAdvanced, exampleStatistics } from "../../testing/statistics-examples.ts";
import { type Answer, answerCalls, ok } from "../../testing/web-server.ts";
import { exampleUser } from "../../testing/wire-examples.ts";
import { BalanceCard } from "./home.tsx";
import { Statistics } from "./statistics.tsx";

const refused: Answer = { status: 400, body: { success: false, code: "x", message: "Non" } };

function open(answer: () => Answer = () => ok(exampleStatistics()), known: Known = {}) {
  const log = answerCalls(answer);
  return { log, client: renderScreen(<Statistics />, { known }) };
}

test("the figures of a period are the server's, each beside those of the period before", async () => {
  const log = answerCalls(({ path }) =>
    ok(exampleStatistics({ periode: path.endsWith("year") ? "year" : "week" })),
  );
  renderScreen(<Statistics />);
  await screen.findByText("Membres");
  const tabs = screen.getAllByRole("radio").map((tab) => tab.parentElement?.textContent);
  expect(tabs).toEqual(["Semaine", "Mois", "Année"]);
  for (const figure of ["Revenu net", "Revenu brut", "Ventes"]) screen.getAllByText(figure);
  for (const name of [
    "Revenu net par jour",
    "Répartition par produit",
    "Meilleurs clients",
    "Dernières transactions",
  ]) {
    screen.getByRole("heading", { name });
  }
  expect(screen.getAllByText(/9\s020\sFCFA/).length).toBeGreaterThan(0);
  expect(screen.getAllByText(/100\s% de plus que les 7 jours d'avant/)).toHaveLength(2);
  screen.getByText(/50\s% de moins que les 7 jours d'avant/);
  screen.getByText("2 nouvelles, 1 renouvellement");
  screen.getByText(/91\s% du revenu net · 2 ventes/);
  screen.getByText("Zoé N'Guessan");
  fireEvent.click(screen.getByLabelText("Année"));
  await screen.findAllByText(/que les 12 mois d'avant/);
  expect(log.map(({ path }) => path)).toContain("/api/statistics?periode=year");
});

test("what was read last is shown where nothing comes, and how old it is", async () => {
  open();
  await screen.findByText("Membres");
  screen.getByText(/^Le plus haut : .*FCFA, .* Les 7 jours d'avant : /);
  cleanup();
  open(() => refused);
  await screen.findByText("Membres");
  screen.getByRole("button", { name: "Réessayer" });
  fireEvent.click(screen.getByLabelText("Mois"));
  await screen.findByText(/Impossible de charger vos statistiques/);
});

test("a slider goes through the bars, and a table says them all", async () => {
  open();
  const bars = await screen.findByRole("slider", { name: "Revenu net par jour" });
  expect(bars.getAttribute("aria-valuetext")).toMatch(/^mercredi 25 novembre : 4\s920\sFCFA, 2/);
  fireEvent.change(bars, { target: { value: "2" } });
  expect(bars.getAttribute("aria-valuetext")).toMatch(
    /^samedi 21 novembre : 4\s100\sFCFA, 1 vente$/,
  );
  expect(within(screen.getByRole("table")).getAllByRole("row")).toHaveLength(8);
});

test("the free plan reads what premium adds without a figure, and meets the gate", async () => {
  open(undefined, { user: exampleUser() });
  fireEvent.click(await screen.findByRole("button", { name: "Découvrir avec Premium" }));
  screen.getByText("Fonctionnalité Premium");
  expect(screen.queryByText(/42\s000/)).toBeNull();
});

test("premium sees what comes back each month, who stays, and exports it", async () => {
  open(() => ok(exampleStatistics({ avancees: exampleAdvanced })));
  await screen.findByText(/42\s000\sFCFA/);
  screen.getByText("3 sur 4 accès arrivés à échéance");
  screen.getByText("1 accès perdu sur 10");
  const heat = within(screen.getByRole("group", { name: "Fidélité par mois d'arrivée" }));
  heat.getByTitle(/^3 clients, 75\s%$/);
  screen.getByRole("button", { name: "Exporter en CSV" });
});

test("a seller without a sale is led to his products; a failure can be tried again", async () => {
  let answers = false;
  const ventes = { valeur: 0, precedent: 0, evolution: null };
  const { log, client } = open(() =>
    answers ? ok(exampleStatistics({ ventes, dernieres: [] })) : refused,
  );
  fireEvent.click(await screen.findByRole("button", { name: "Réessayer" }));
  // Tapped before that, it would be the same question.
  await waitFor(() => expect([log.length, client.isFetching()]).toEqual([2, 0]));
  answers = true;
  fireEvent.click(await screen.findByRole("button", { name: "Réessayer" }));
  await screen.findByText("Aucune vente sur cette période");
  screen.getByRole("link", { name: "Voir mes produits" });
});

test("the balance card draws the last seven days, and nothing of a week without a sale", async () => {
  const sold = exampleUser({ revenus_semaine: [0, 0, 4_100, 0, 0, 0, 820] });
  renderScreen(<BalanceCard user={sold} />);
  await screen.findByRole("img", { name: /Revenu net des 7 derniers jours : 4\s920\sFCFA/ });
  cleanup();
  renderScreen(<BalanceCard user={exampleUser({ revenus_semaine: [0, 0, 0, 0, 0, 0, 0] })} />);
  expect(screen.queryByRole("img")).toBeNull();
});
