import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "vitest";
import { enterStorage, save } from "../../features/identity/storage.ts";
import { Home } from "../../features/reports/home.tsx";
import { setSession } from "../../lib/session.ts";
// Loaded beforehand: the application loads it while the last test ends.
import "../../telegram/seller-bridge.ts";
import { renderScreen } from "../../testing/screen.tsx";
import { INIT, initOf, openAt } from "../../testing/seller-app.ts";
import { type Answer, answerCalls, ok, good } from "../../testing/web-server.ts";
import { exampleStart, exampleUser } from "../../testing/wire-examples.ts";
import { App } from "../app.tsx";
import { paintPicture } from "./paint-picture.ts";
import { renderPicture } from "./render-picture.tsx";

const MARKUP = renderPicture();
const SAVED_AT = "2026-11-20T10:00:00.000Z";
const PLAN_CHOSEN = { deja: true, plan: true } as const;

/** The sellers' page before its application, opened at `path` by whom `init` names. */
function openPage(path: string, init = INIT): void {
  document.body.innerHTML = '<div id="picture"></div><div id="root"></div>';
  openAt(path, init);
  paintPicture(MARKUP);
}

function keep(person: string, user: Parameters<typeof exampleUser>[0] = PLAN_CHOSEN): void {
  enterStorage(person);
  save(person, exampleStart({ user: exampleUser(user) }), SAVED_AT);
}

/** The start as the page asked for it, and its answer. */
function answerStart(status: number, body: unknown, init = INIT): void {
  const answer = Promise.resolve(new Response(JSON.stringify(body), { status }));
  window.sesameStart = { data: init, answer };
}

const settle = () => act(() => new Promise<void>((resolve) => setTimeout(resolve)));
const picture = () => document.querySelector<HTMLElement>("#picture");
const root = () => document.querySelector<HTMLElement>("#root") ?? document.body;
const balanceIn = (place: HTMLElement) =>
  within(place).getByRole("region", { name: "Solde disponible", hidden: true });
/** Its styles are written in another order. */
const headerIn = (place: HTMLElement) =>
  place.querySelector("header")?.outerHTML.replaceAll(/ style="[^"]*"/g, "");

beforeEach(() => {
  delete window.sesameStart;
  setSession({ at: "none" });
});

describe("home before its application", () => {
  test("is painted from what the phone kept, word for word as the application paints it", () => {
    const user = { ...PLAN_CHOSEN, nom: "Awa Kouassi", balanceGratuit: 12_500 };
    keep("5001", { ...user, soldeDisponible: 4_100 });
    openPage("/");
    const place = picture() ?? document.body;
    expect(root().hidden).toBe(true);
    const before = balanceIn(place).outerHTML;
    expect(before).toContain("4&nbsp;100");
    const header = headerIn(place);
    document.body.innerHTML = "";
    answerCalls(() => ({ status: 400, body: {} }));
    const known = exampleUser({ ...user, soldeDisponible: 4_100 });
    renderScreen(<Home />, { known: { user: known } });
    expect(before).toBe(balanceIn(document.body).outerHTML);
    expect(header).toContain("Bonjour Awa");
    expect(header).toBe(headerIn(document.body));
  });

  test("is painted from the answer that comes, which stays whole for the application", async () => {
    const start = exampleStart({ user: exampleUser({ ...PLAN_CHOSEN, soldeDisponible: 7_300 }) });
    answerStart(200, start);
    openPage("/IndexEspace");
    expect(picture()?.childElementCount).toBe(0);
    await waitFor(() =>
      expect(balanceIn(picture() ?? document.body).textContent).toContain("7\u00a0300"),
    );
    const answer = await window.sesameStart?.answer;
    expect(await answer?.json()).toMatchObject({ success: true });
  });

  test("shows a name as it is written, whatever it looks like", () => {
    keep("5001", { ...PLAN_CHOSEN, nom: "<img/src=x>{available}🌸 & Fils" });
    openPage("/");
    expect(picture()?.querySelector("h1")?.textContent).toBe("Bonjour <img/src=x>{available}🌸");
    expect(picture()?.querySelector("img")).toBeNull();
    const profile = picture()?.querySelector('[href="/profile"]');
    expect(profile?.getAttribute("aria-label")).toBe("<img/src=x>{available}🌸 & Fils");
  });

  test("keeps the room of the week's line for who earned something in it, and no other", () => {
    const room = () => picture()?.querySelector("[data-sparkline]") ?? null;
    keep("5001", { ...PLAN_CHOSEN, revenus_semaine: [0, 0, 900, 0, 0, 0, 0] });
    openPage("/");
    expect(room()).not.toBeNull();
    keep("5001", { ...PLAN_CHOSEN, revenus_semaine: [0, 0, 0, 0, 0, 0, 0] });
    openPage("/");
    expect(picture()?.childElementCount).toBeGreaterThan(0);
    expect(room()).toBeNull();
  });
});

describe("nothing is painted before the application", () => {
  const start = exampleStart({ user: exampleUser(PLAN_CHOSEN) });
  const newcomer = exampleStart({ user: exampleUser({ deja: false, plan: false }) });

  async function expectNothing(path: string, init?: string): Promise<void> {
    openPage(path, init);
    await settle();
    expect(picture()?.childElementCount).toBe(0);
    expect(root().hidden).toBe(false);
  }

  test("of another person's data", async () => {
    keep("6002");
    await expectNothing("/");
    answerStart(200, start, initOf(6002));
    await expectNothing("/");
  });

  test("for a newcomer, who is welcomed", async () => {
    keep("5001", { deja: true, plan: false });
    await expectNothing("/");
    localStorage.clear();
    answerStart(200, newcomer);
    await expectNothing("/");
  });

  test("for whom the server refuses", async () => {
    answerStart(403, { success: false, message: "Compte suspendu", user: start.user });
    await expectNothing("/");
    answerStart(200, { ...start, success: false });
    await expectNothing("/");
    answerStart(200, "nonsense");
    await expectNothing("/");
  });

  test("elsewhere than at home, or for a buyer", async () => {
    keep("5001");
    for (const path of ["/ProductsList", "/bureau", "/Plans", "/retrait"])
      await expectNothing(path);
    await expectNothing("/", initOf(5001, "&start_param=abcdef12"));
    await expectNothing("/", "nonsense");
  });
});

describe("when the application comes", () => {
  function server(answer: Answer) {
    return answerCalls(({ path }) => (path === "/api/auth/vendeur" ? answer : good({})));
  }

  test("it takes the picture's place, and goes where a finger already went", async () => {
    const start = exampleStart({ user: exampleUser(PLAN_CHOSEN) });
    server(ok(start));
    keep("5001");
    openPage("/");
    const tile = within(picture() ?? document.body).getByText("Calendrier");
    expect(fireEvent.click(tile), "the page stays").toBe(false);
    fireEvent.click(within(picture() ?? document.body).getByText("Retrait"));
    expect(location.pathname).toBe("/");
    render(<App />, { container: root() });
    expect(picture()).toBeNull();
    expect(root().hidden).toBe(false);
    await waitFor(() => expect(location.pathname).toBe("/retrait"));
    history.back();
    await waitFor(() => expect(location.pathname).toBe("/IndexEspace"));
  });

  test("a finger's place is kept for who walks by keys", () => {
    server(ok(exampleStart()));
    keep("5001");
    openPage("/IndexEspace");
    picture()?.querySelector<HTMLElement>('[href="/GroupeListe"]')?.focus();
    render(<App />, { container: root() });
    expect(document.activeElement?.getAttribute("href")).toBe("/GroupeListe");
    expect(root().contains(document.activeElement)).toBe(true);
  });

  test("and is refused, its word is seen", async () => {
    server({ status: 403, body: { success: false, message: "Compte suspendu" } });
    keep("5001");
    openPage("/");
    render(<App />, { container: root() });
    await screen.findByText("Compte suspendu");
    expect(picture()).toBeNull();
  });

  test("before the server has answered, it waits behind its own sign and paints home itself", async () => {
    const answered = Promise.withResolvers<Response>();
    window.sesameStart = { data: INIT, answer: answered.promise };
    openPage("/");
    server({ status: 500, body: {} });
    render(<App />, { container: root() });
    screen.getByText("Chargement de l'application...");
    expect(picture()).toBeNull();
    answered.resolve(
      new Response(JSON.stringify(exampleStart({ user: exampleUser(PLAN_CHOSEN) }))),
    );
    await screen.findByRole("region", { name: "Solde disponible" });
    expect(root().hidden).toBe(false);
  });
});
