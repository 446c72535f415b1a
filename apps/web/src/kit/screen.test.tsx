import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { read, readPages } from "../lib/read.ts";
import { renderScreen } from "../testing/screen.tsx";
import { answerCalls, good } from "../testing/web-server.ts";
import { Paged } from "./paged.tsx";
import { Screen } from "./screen.tsx";

// Asked once: a network that is gone is said at once.
const LIST = { ...readPages("GET /api/complaints", { query: {} }), retry: false };
const ONE = { ...read("GET /api/complaints", { query: {}, pick: "waiting" }), retry: false };
const SHOWN = {
  Screen: (
    <Screen of={ONE} title="" missing="">
      {(waiting) => <p>{`${waiting} en attente`}</p>}
    </Screen>
  ),
  Paged: (
    <Paged
      of={LIST}
      rows={({ complaints }) => complaints}
      empty={null}
      head={({ first }) => <p>{`${first.waiting} en attente`}</p>}
    >
      {() => null}
    </Paged>
  ),
} as const;

test.each(Object.keys(SHOWN) as (keyof typeof SHOWN)[])(
  "%s keeps what was read while the network is gone, says how old it is, and asks again when it is back",
  async (name) => {
    let isThere = true;
    let waiting = 3;
    answerCalls(() => (isThere ? good({ complaints: [], waiting, next_cursor: null }) : "silence"));
    const client = renderScreen(SHOWN[name]);
    await screen.findByText("3 en attente");
    expect(screen.queryByText(/^hors ligne/)).toBeNull();
    isThere = false;
    await client.refetchQueries();
    await screen.findByText(/^hors ligne, données du /);
    screen.getByText("3 en attente");
    isThere = true;
    waiting = 2;
    window.dispatchEvent(new Event("offline"));
    window.dispatchEvent(new Event("online"));
    await screen.findByText("2 en attente");
    await waitFor(() => expect(screen.queryByText(/^hors ligne/)).toBeNull());
    isThere = false;
    await client.refetchQueries();
    isThere = true;
    waiting = 1;
    fireEvent.click(await screen.findByRole("button", { name: "Réessayer" }));
    await screen.findByText("1 en attente");
  },
);

test("what a server that is reached does not renew is not said to be without a network", async () => {
  let status = 200;
  answerCalls(() => ({ status, body: { success: true, waiting: 3, message: "Panne." } }));
  const client = renderScreen(SHOWN.Screen);
  await screen.findByText("3 en attente");
  status = 500;
  await client.refetchQueries();
  await screen.findByText(/^La mise à jour a échoué, données du /);
  screen.getByText("3 en attente");
});

test("a thing that is there no more is said to be missing", async () => {
  let status = 200;
  answerCalls(() => ({ status, body: { success: true, waiting: 3, message: "Introuvable." } }));
  const client = renderScreen(
    <Screen of={ONE} title="" missing="Rien">
      {(waiting) => <p>{`${waiting} en attente`}</p>}
    </Screen>,
  );
  await screen.findByText("3 en attente");
  status = 404;
  await client.refetchQueries();
  await screen.findByRole("heading", { name: "Rien" });
  expect(screen.queryByText("3 en attente")).toBeNull();
});
