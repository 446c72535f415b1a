import type { PlaceWaitAnswer } from "@sesame/contract/checkout";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, test } from "vitest";
import { DonationSheet } from "./donation-sheet.tsx";
import { type LineAct, PlaceLine } from "./place-line.tsx";

afterEach(cleanup);

describe("the choice of an amount", () => {
  function open(): number[] {
    const chosen: number[] = [];
    render(
      <DonationSheet
        minimum={500}
        suggestions={[1_000, 5_000]}
        onChoose={(amount) => chosen.push(amount)}
        onClose={() => {}}
      />,
    );
    return chosen;
  }
  const type = (value: string) =>
    fireEvent.change(screen.getByLabelText("Autre montant"), { target: { value } });
  const goOn = () => fireEvent.click(screen.getByRole("button", { name: /^(Donner|Continuer)/ }));

  test("is one of what is proposed", () => {
    const chosen = open();
    goOn();
    expect(screen.getByRole("alert").textContent).toMatch(/choisir ou saisir/);
    fireEvent.click(screen.getByLabelText(/5.000/));
    goOn();
    expect(chosen).toEqual([5_000]);
  });

  test("is one's own, from the minimum to a million", () => {
    const chosen = open();
    for (const wrong of ["499", "1000001"]) {
      type(wrong);
      goOn();
      expect(screen.getByRole("alert").textContent).toMatch(/minimum|maximum/);
    }
    type("1 750");
    goOn();
    expect(chosen).toEqual([1_750]);
  });
});

describe("the line for a place", () => {
  const standing = (part: Partial<PlaceWaitAnswer>): PlaceWaitAnswer => ({
    success: true,
    state: "none",
    position: null,
    held_until: null,
    ...part,
  });
  const show = (answer: (act: LineAct) => PlaceWaitAnswer, mayWrite = true) => {
    let bought = 0;
    render(
      <PlaceLine
        ask={async (act) => answer(act)}
        mayWrite={async () => mayWrite}
        onBuy={() => {
          bought += 1;
        }}
      />,
    );
    return () => bought;
  };

  test("is joined and left", async () => {
    show((act) => standing(act === "POST" ? { state: "waiting", position: 3 } : {}));
    fireEvent.click(await screen.findByRole("button", { name: "Me prévenir" }));
    expect(await screen.findByText("Vous êtes n° 3 dans la file.")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Ne plus attendre" }));
    expect(await screen.findByRole("button", { name: "Me prévenir" })).toBeTruthy();
  });

  test("says when the bot could not tell its person", async () => {
    show((act) => standing(act === "POST" ? { state: "waiting", position: 1 } : {}), false);
    fireEvent.click(await screen.findByRole("button", { name: "Me prévenir" }));
    expect(await screen.findByText(/Le bot ne peut pas vous écrire/)).toBeTruthy();
  });

  test("gives the place that is kept to be bought", async () => {
    const bought = show(() => standing({ state: "held", held_until: "2026-11-22T10:00:00.000Z" }));
    fireEvent.click(await screen.findByRole("button", { name: "Prendre ma place" }));
    expect(bought()).toBe(1);
  });

  test("offers a place that came free while it was asked for", async () => {
    let asked = 0;
    show((act) => {
      asked += 1;
      if (act === "POST") throw new Error("place-free");
      return standing({ state: asked === 1 ? "none" : "free" });
    });
    fireEvent.click(await screen.findByRole("button", { name: "Me prévenir" }));
    expect(await screen.findByRole("button", { name: "Acheter ce produit" })).toBeTruthy();
  });

  test("can be asked again after an outage", async () => {
    let broken = true;
    show(() => {
      if (broken) throw new Error("away");
      return standing({});
    });
    const retry = await screen.findByRole("button", { name: "Réessayer" });
    broken = false;
    fireEvent.click(retry);
    expect(await screen.findByRole("button", { name: "Me prévenir" })).toBeTruthy();
  });
});
