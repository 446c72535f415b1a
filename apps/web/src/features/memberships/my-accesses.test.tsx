import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import type { AccessOnWire } from "@sesame/contract/memberships";
import { MyAccesses } from "./my-accesses.tsx";

const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));

const ACCESS: AccessOnWire = {
  id: "1",
  status: "inside",
  expires_at: "2027-02-03T10:00:00.000Z",
  joined_at: null,
  group: { name: "Cercle", type: "groupe", link: null },
  product: null,
  order_id: null,
  invite_link: null,
  renew_reference: null,
};

test("each access says in French until when it runs, and leads into its group", () => {
  const joined: string[] = [];
  const nothing = async () => undefined;
  const until = (access: Partial<AccessOnWire>) => {
    cleanup();
    render(
      <MyAccesses
        accesses={[{ ...ACCESS, ...access }]}
        onJoin={(link) => joined.push(link)}
        onRenew={() => undefined}
        onOrder={() => undefined}
        onExport={nothing}
        onErase={nothing}
      />,
    );
    return screen.getByRole("listitem").querySelector("em")?.parentElement?.textContent;
  };
  expect(until({ group: { ...ACCESS.group, link: "https://t.me/c/8/9" } })).toBe(
    "Actif jusqu'au 3 février 2027",
  );
  press("Ouvrir");
  expect(until({ status: "left", invite_link: "https://t.me/+a" })).toBe(
    "Groupe quitté accès jusqu'au 3 février 2027",
  );
  press("Rejoindre");
  expect(joined).toEqual(["https://t.me/c/8/9", "https://t.me/+a"]);
  expect(until({ status: "waiting" })).toBe("À rejoindre accès jusqu'au 3 février 2027");
  expect(until({ status: "ended" })).toBe("Terminé le 3 février 2027");
  expect(until({ status: "banned" })).toBe("Retiré ");
  expect(screen.queryByRole("button", { name: "Ouvrir" })).toBeNull();
});

test("a buyer has his data, and erases them after a second word", async () => {
  const done: string[] = [];
  const refusals = ["Vos données sont encore nécessaires : 1 accès en cours."];
  render(
    <MyAccesses
      accesses={[]}
      onJoin={() => {}}
      onRenew={() => {}}
      onOrder={() => {}}
      onExport={async () => void done.push("export")}
      onErase={async () => {
        const refused = refusals.shift();
        if (refused) throw new Error(refused);
        done.push("erase");
      }}
    />,
  );
  expect(screen.getByRole("link").getAttribute("href")).toBe("/confidentialite");
  press("Télécharger");
  const erase = screen.getByRole("button", { name: "Effacer" }) as HTMLButtonElement;
  await waitFor(() => expect(erase.disabled).toBe(false));
  press("Effacer");
  press("Annuler");
  expect(done).toEqual(["export"]);
  press("Effacer");
  press("Effacer pour toujours");
  expect(await screen.findByText(/^Vos données sont encore nécessaires/)).toBeTruthy();
  press("Effacer");
  press("Effacer pour toujours");
  expect(await screen.findByText("Vos données personnelles sont effacées.")).toBeTruthy();
  expect(done).toEqual(["export", "erase"]);
});
