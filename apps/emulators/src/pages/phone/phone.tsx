import { useEffect, useState } from "react";
import type { PersonView, PhoneView, EmulatorEvent } from "../../wire.ts";
import { BANNER_MS, MONEY_BANNER_MS } from "../banners.ts";
import { BrowserOverlay } from "./browser-overlay.tsx";
import { MiniApp } from "../mini-app/mini-app.tsx";
import { moneyCopy } from "../mobile-money/messages.fr.ts";
import { MobileMoney } from "../mobile-money/mobile-money.tsx";
import { act, control, useEmulators, useEmulatorEvent } from "../emulators.ts";
import { type ChatRow, fullName, listRows, MONEY_KEY, moneyRow, screenKey } from "./chat-rows.ts";
import { phoneCopy } from "./messages.fr.ts";
import { Action, AlertBox, Avatar, IconButton, StatusBar } from "./parts/parts.tsx";
import css from "./phone.module.css";
import { PhoneContext, usePhone, usePhoneHandle, goTo, minimise } from "./phone-state.ts";
import { CurrentScreen } from "./screens.tsx";
import { Sheets } from "./sheets.tsx";

/** One phone: its holder above, its screen below. A new holder starts from an empty screen. */
export function Phone({ phone }: { phone: PhoneView }) {
  const person = useEmulators().persons.find((one) => one.id === phone.personId);
  return (
    <section className={css.phone} aria-label={phoneCopy.phones[phone.id].label}>
      {person !== undefined && <HeldPhone key={person.id} phone={phone} person={person} />}
    </section>
  );
}

const newest = (row: ChatRow) => row.incoming.at(-1) ?? 0;

function seenNow(rows: ChatRow[]): Record<string, number> {
  return Object.fromEntries(rows.map((row) => [row.key, newest(row)]));
}

/**
 * What was read on this phone. Everything counts as read when the phone changes hands; `open` is
 * the conversation in sight, or null. Messages elsewhere are counted, and shown as a banner.
 */
function useUnread(rows: ChatRow[], open: string | null) {
  const [seen, setSeen] = useState(() => seenNow(rows));
  const [shown, setShown] = useState(() => seenNow(rows));
  const [banner, setBanner] = useState<ChatRow | null>(null);

  const openRow = rows.find((row) => row.key === open);
  if (openRow !== undefined && newest(openRow) !== (seen[openRow.key] ?? 0)) {
    setSeen({ ...seen, [openRow.key]: newest(openRow) });
  }
  const arrived = rows.find((row) => newest(row) > (shown[row.key] ?? 0));
  if (arrived !== undefined) {
    setShown(seenNow(rows));
    if (arrived.key !== open) setBanner(arrived);
  }
  if (banner !== null && banner.key === open) setBanner(null);

  useEffect(() => {
    if (banner === null) return;
    const ms = banner.key === MONEY_KEY ? MONEY_BANNER_MS : BANNER_MS;
    const timer = setTimeout(() => setBanner(null), ms);
    return () => clearTimeout(timer);
  }, [banner]);

  const unread = (row: ChatRow) => row.incoming.filter((id) => id > (seen[row.key] ?? 0)).length;
  return { unread, banner };
}

function HeldPhone({ phone, person }: { phone: PhoneView; person: PersonView }) {
  const handle = usePhoneHandle(phone, person);
  const { ui, dispatch } = handle;
  const { app, browserUrl } = ui;
  const { id } = phone;
  const slow = phone.delayMs > 0;
  const emulators = useEmulators();
  const [moneyOpen, setMoneyOpen] = useState(false);
  const rows = listRows(emulators, person.id);
  const money = moneyRow(emulators, person.id);
  const covered = (app !== null && !app.minimised) || browserUrl !== null;
  const open = moneyOpen ? MONEY_KEY : covered ? null : screenKey(ui.stack.at(-1));
  const { unread, banner } = useUnread([money, ...rows], open);

  useEmulatorEvent((event: EmulatorEvent) => {
    if (event.type === "toast" && event.personId === person.id) {
      const kind = event.alert ? "alert" : "toast";
      dispatch({ notice: { kind, text: event.text } });
    }
  });
  const openBanner = ({ screen }: ChatRow) => {
    setMoneyOpen(screen === null);
    if (screen !== null) dispatch(goTo(screen));
  };

  return (
    <PhoneContext value={handle}>
      <header className={css.bar}>
        <h2>{phoneCopy.phones[id].role}</h2>
        <PersonChooser />
        <IconButton
          icon="wallet"
          label={unread(money) > 0 ? moneyCopy.unread(unread(money)) : moneyCopy.title}
          pressed={moneyOpen}
          onClick={() => setMoneyOpen(!moneyOpen)}
          dot={unread(money) > 0}
        />
        <IconButton
          icon="slow"
          label={phoneCopy.frame.slow}
          pressed={slow}
          onClick={() =>
            void control("setPhoneNetwork", { phone: id, delayMs: slow ? 0 : SLOW_MS })
          }
        />
      </header>
      <div className={css.glass}>
        <div className={css.screen} inert={moneyOpen} aria-hidden={moneyOpen}>
          <StatusBar />
          <div className={css.screen} inert={covered} aria-hidden={covered}>
            <CurrentScreen rows={rows} unread={unread} />
            {app?.minimised && (
              <Action
                big
                text={phoneCopy.frame.reopen(app.launch.botName)}
                onClick={() => dispatch(minimise(false))}
              />
            )}
          </div>
          {app !== null && <MiniApp key={app.generation} app={app} />}
          {browserUrl !== null && <BrowserOverlay key={browserUrl} url={browserUrl} />}
          <Sheets />
        </div>
        {moneyOpen && <MobileMoney onClose={() => setMoneyOpen(false)} />}
        {banner !== null && (
          <button type="button" className={css.banner} onClick={() => openBanner(banner)}>
            <Avatar id={banner.avatarId} name={banner.name} size={36} />
            <span className={css.words}>
              <b>{banner.name}</b>
              <small>{banner.preview}</small>
            </span>
          </button>
        )}
        <NoticeView />
      </div>
    </PhoneContext>
  );
}

/** Who may hold this phone, such as a second buyer. */
function PersonChooser() {
  const { phone, person } = usePhone();
  const { persons } = useEmulators();
  return (
    <select
      aria-label={phoneCopy.switcher.change(fullName(person))}
      value={person.id}
      onChange={({ target }) =>
        void act("switchPerson", { phone: phone.id, personId: Number(target.value) })
      }
    >
      {persons.map((one) => (
        <option key={one.id} value={one.id}>
          {fullName(one)}
        </option>
      ))}
    </select>
  );
}

const SLOW_MS = 1500;

const TOAST_MS = 3000;

function NoticeView() {
  const { ui, dispatch } = usePhone();
  const { notice } = ui;
  useEffect(() => {
    if (notice?.kind !== "toast") return;
    const timer = setTimeout(() => dispatch({ notice: null }), TOAST_MS);
    return () => clearTimeout(timer);
  }, [notice, dispatch]);
  if (notice === null) return null;
  if (notice.kind === "toast") {
    return (
      <p className={css.toast} role="status">
        {notice.text}
      </p>
    );
  }
  return (
    <AlertBox
      message={notice.text}
      buttons={[{ id: "ok", text: phoneCopy.ok }]}
      onChoice={() => dispatch({ notice: null })}
    />
  );
}
