import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { ReportSheet } from "./report-sheet.tsx";

afterEach(cleanup);

type Report = { motif: string; message: string };

function open(answer: (report: Report) => Promise<string>): Report[] {
  const sent: Report[] = [];
  const send = (report: Report) => {
    sent.push(report);
    return answer(report);
  };
  render(<ReportSheet send={send} onClose={() => {}} />);
  return sent;
}

const write = () => {
  fireEvent.click(screen.getByLabelText("Autre motif"));
  fireEvent.change(screen.getByLabelText("Ce qui ne va pas"), { target: { value: "Copie" } });
  fireEvent.click(screen.getByRole("button", { name: "Envoyer le signalement" }));
};

test("a report is sent with its reason and words, and its answer is said", async () => {
  const sent = open(async () => "Merci.");
  write();
  expect((await screen.findByRole("status")).textContent).toBe("Merci.");
  expect(sent).toEqual([{ motif: "other", message: "Copie" }]);
  expect(screen.queryByRole("button", { name: "Envoyer le signalement" })).toBeNull();
});

test("a refusal is said in the server's words, and what was written stays", async () => {
  open(async () => {
    throw new Error("Veuillez choisir le motif du signalement.");
  });
  write();
  expect(await screen.findByText("Veuillez choisir le motif du signalement.")).toBeTruthy();
  expect((screen.getByLabelText("Ce qui ne va pas") as HTMLTextAreaElement).value).toBe("Copie");
});
