import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { read, readPages } from "../lib/read.ts";
import { renderScreen } from "../testing/screen.tsx";
import { answerCalls } from "../testing/web-server.ts";
import { Paged } from "./paged.tsx";
import { Screen } from "./screen.tsx";

afterEach(cleanup);

const LIST = readPages("GET /api/claims", { query: {} });
const SHOWN = {
  Screen: (
    <Screen of={read("GET /api/claims", { query: {}, pick: "waiting" })} title="" missing="">
      {(waiting) => <p>{`${waiting} en attente`}</p>}
    </Screen>
  ),
  Paged: (
    <Paged
      of={LIST}
      rows={({ claims }) => claims}
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
    answerCalls(() =>
      isThere
        ? { status: 200, body: { success: true, claims: [], waiting, next_cursor: null } }
        : { status: 400, body: { message: "Connexion impossible." } },
    );
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
