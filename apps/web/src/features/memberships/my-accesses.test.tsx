import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { MyData } from "./my-accesses.tsx";

afterEach(cleanup);

const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));

test("a buyer has his data, and erases them after a second word", async () => {
  const done: string[] = [];
  const refusals = ["Vos données sont encore nécessaires : 1 accès en cours."];
  render(
    <MyData
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
