import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { renderScreen } from "../../testing/screen.tsx";
import { type Answer, answerCalls } from "../../testing/web-server.ts";
import { PersonalData } from "./personal-data.tsx";

afterEach(cleanup);

test("data are erased only after a yes, and what is still needed is said", async () => {
  let answer: Answer = { status: 409, body: { message: "Il reste 500 FCFA à retirer." } };
  const log = answerCalls(() => answer);
  const posts = () => log.filter(({ method }) => method === "POST");
  let left = 0;
  renderScreen(<PersonalData onErased={async () => void (left += 1)} />);
  const ask = () => fireEvent.click(screen.getByRole("button", { name: "Effacer mes données" }));
  ask();
  fireEvent.click(screen.getByRole("button", { name: "Annuler" }));
  expect(posts()).toEqual([]);
  ask();
  fireEvent.click(screen.getByRole("button", { name: "Effacer définitivement" }));
  expect(await screen.findByText("Il reste 500 FCFA à retirer.")).toBeTruthy();
  expect(left).toBe(0);
  answer = { status: 200, body: { success: true, message: "Effacées." } };
  fireEvent.click(screen.getByRole("button", { name: "Effacer définitivement" }));
  await waitFor(() => expect(left).toBe(1));
  expect(posts().map(({ path, body }) => [path, body])).toEqual([
    ["/api/me/delete", { confirm: true }],
    ["/api/me/delete", { confirm: true }],
  ]);
});

test("offline, erasing is seen, and why it cannot be asked for", () => {
  answerCalls(() => "silence");
  renderScreen(<PersonalData onErased={async () => undefined} />, { offline: true });
  const erase = screen.getByRole<HTMLButtonElement>("button", { name: "Effacer mes données" });
  expect(erase.disabled).toBe(true);
  screen.getByText("Sans connexion, rien ne peut être créé ni modifié ici.");
});
