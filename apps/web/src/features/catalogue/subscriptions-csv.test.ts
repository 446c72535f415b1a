import { expect, test } from "vitest";
import { subscriptionsCsv } from "./subscriptions.tsx";

const row = {
  id: "1",
  groupId: "1",
  group_id: "1",
  idProduit: "1",
  typeAbonnement: "Accès VIP",
  prix: 5_000,
  net: 4_100,
  dateCreation: "2026-11-20T10:00:00.000Z",
  dateRenouvellement: null,
  userId: "90",
  nomClient: "Koffi",
  estRenouvellement: false,
  valide: true,
  direct: false,
};

test("a name cannot become a formula, nor end its cell", () => {
  const text = subscriptionsCsv([{ ...row, nomClient: '=HYPERLINK("x")' }]);
  expect(text).toContain(`"'=HYPERLINK(""x"")"`);
  expect(text.trimEnd().split("\r\n")).toHaveLength(2);
});
