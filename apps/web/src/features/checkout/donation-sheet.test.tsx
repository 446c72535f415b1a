import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, test } from "vitest";
import { DonationSheet } from "./donation-sheet.tsx";

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
