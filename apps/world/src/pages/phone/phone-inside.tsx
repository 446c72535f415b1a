import { useEffect, useState } from "react";
import type { PersonView, PhoneView, WorldEvent } from "../../wire.ts";
import { BrowserOverlay } from "../browser/browser-overlay.tsx";
import { MobileMoney } from "../mobile-money/mobile-money.tsx";
import { moneyCopy } from "../mobile-money/copy.fr.ts";
import type { Money } from "../mobile-money/use-money.ts";
import { MiniApp } from "../mini-app/mini-app.tsx";
import { useWorld, useWorldEvent } from "../world/store.ts";
import { type ChatRow, fullName, listRows, screenKey, talkBetween } from "./chat-rows.ts";
import { phoneCopy } from "./copy.fr.ts";
import { Avatar } from "./parts/avatar.tsx";
import { Composer, useSend } from "./parts/composer.tsx";
import { ScreenHeader } from "./parts/header.tsx";
import { Icon } from "./parts/icon.tsx";
import { MessageList } from "./parts/message-list.tsx";
import { AlertBox } from "./parts/sheet.tsx";
import css from "./phone.module.css";
import { PhoneContext, usePhone } from "./phone-context.ts";
import { AdminScreen } from "./screens/admin.tsx";
import { ChatScreen } from "./screens/chat.tsx";
import { ChatList } from "./screens/chat-list.tsx";
import { CreateChat } from "./screens/create.tsx";
import { BotDialog } from "./screens/dialog.tsx";
import { InfoScreen } from "./screens/info.tsx";
import { Sheets } from "./sheets/sheets.tsx";
import { StatusBar } from "./status-bar.tsx";
import type { Scheme } from "./theme.ts";
import type { Screen } from "./ui-state.ts";
import { usePhoneHandle } from "./use-phone-handle.ts";
import { BANNER_MS } from "../banners.ts";

type Banner = { key: string; row: ChatRow };

const newest = (row: ChatRow) => row.incoming.at(-1) ?? 0;

function seenNow(rows: ChatRow[]): Record<string, number> {
  return Object.fromEntries(rows.map((row) => [row.key, newest(row)]));
}

/**
 * What was read on this phone. Everything is read when the phone is taken in hand; `open` is the
 * conversation under the eyes, or null. What arrives elsewhere is counted, and shown as a banner.
 */
function useUnread(rows: ChatRow[], open: string | null) {
  const [seen, setSeen] = useState(() => seenNow(rows));
  const [shown, setShown] = useState(() => seenNow(rows));
  const [banner, setBanner] = useState<Banner | null>(null);

  const openRow = rows.find((row) => row.key === open);
  if (openRow !== undefined && newest(openRow) !== (seen[openRow.key] ?? 0)) {
    setSeen({ ...seen, [openRow.key]: newest(openRow) });
  }
  const arrived = rows.find((row) => newest(row) > (shown[row.key] ?? 0));
  if (arrived !== undefined) {
    setShown(seenNow(rows));
    if (arrived.key !== open) {
      setBanner({ key: `${arrived.key}/${newest(arrived)}`, row: arrived });
    }
  }
  if (banner !== null && banner.row.key === open) setBanner(null);

  useEffect(() => {
    if (banner === null) return;
    const timer = setTimeout(() => setBanner(null), BANNER_MS);
    return () => clearTimeout(timer);
  }, [banner]);

  const unread = (row: ChatRow) => row.incoming.filter((id) => id > (seen[row.key] ?? 0)).length;
  return { unread, banner, dismiss: () => setBanner(null) };
}

const TOAST_MS = 3000;

type Props = {
  phone: PhoneView;
  person: PersonView;
  scheme: Scheme;
  money: Money;
  onHaptic: (kind: string) => void;
};

export function PhoneInside({ phone, person, scheme, money, onHaptic }: Props) {
  const handle = usePhoneHandle({ phone, person, scheme });
  const { ui, dispatch } = handle;
  const world = useWorld();
  const rows = listRows(world, person.id);
  const covered = (ui.app !== null && !ui.app.minimised) || ui.browserUrl !== null;
  const top = ui.stack.at(-1);
  const { unread, banner, dismiss } = useUnread(rows, covered ? null : screenKey(top));

  useWorldEvent((event: WorldEvent) => {
    if (event.type === "clockJumped") void handle.reopenApp();
    if (event.type === "toast" && event.personId === person.id) {
      const kind = event.alert ? "alert" : "toast";
      dispatch({ type: "notice", notice: { kind, text: event.text } });
    }
    if (event.type === "openUrl" && event.personId === person.id) void handle.openUrl(event.url);
  });

  return (
    <PhoneContext value={handle}>
      <div className={css.telegram} inert={money.open} aria-hidden={money.open}>
        <StatusBar />
        <div className={css.screen} inert={covered} aria-hidden={covered}>
          {top?.at === "chats" ? (
            <ChatList rows={rows} unread={unread} />
          ) : (
            <Current screen={top} />
          )}
          <MinimisedApp />
        </div>
        {ui.app !== null && <MiniApp key={ui.app.generation} app={ui.app} onHaptic={onHaptic} />}
        {ui.browserUrl !== null && <BrowserOverlay key={ui.browserUrl} url={ui.browserUrl} />}
        <Sheets />
      </div>
      {money.open && <MobileMoney onClose={() => money.setOpen(false)} />}
      {banner !== null && (
        <BannerView
          key={banner.key}
          name={banner.row.name}
          preview={banner.row.preview}
          avatar={{ id: banner.row.avatarId, bot: banner.row.isBot }}
          onOpen={() => {
            dismiss();
            money.setOpen(false);
            dispatch({ type: "goTo", screen: banner.row.screen });
          }}
        />
      )}
      {money.banner !== null && (
        <BannerView
          key={money.banner.id}
          name={world.networks.find(({ id }) => id === money.banner?.network)?.name ?? ""}
          preview={moneyCopy.preview(money.banner)}
          avatar={{ id: 0, bot: false }}
          onOpen={() => money.setOpen(true)}
        />
      )}
      <NoticeView />
      <span className={css.homeBar} aria-hidden="true" />
    </PhoneContext>
  );
}

function Current({ screen }: { screen: Screen | undefined }) {
  switch (screen?.at) {
    case "dialog":
      return <BotDialog screen={screen} />;
    case "chat":
      return <ChatScreen screen={screen} />;
    case "info":
      return <InfoScreen chatId={screen.chatId} />;
    case "admin":
      return <AdminScreen chatId={screen.chatId} role={screen.bot} />;
    case "person":
      return <PersonDialog screen={screen} />;
    case "create":
      return <CreateChat kind={screen.kind} />;
    case "chats":
    case undefined:
      return null;
  }
}

/** Between two people of the demonstration: how a seller's link reaches a buyer. */
function PersonDialog({ screen }: { screen: Extract<Screen, { at: "person" }> }) {
  const phone = usePhone();
  const world = useWorld();
  const place = { personId: screen.personId };
  const send = useSend(place);
  const other = world.persons.find((one) => one.id === screen.personId);
  if (other === undefined) return null;
  const name = fullName(other);
  return (
    <>
      <ScreenHeader
        title={name}
        subtitle={phoneCopy.person.online}
        avatar={<Avatar id={other.id} name={name} size={38} />}
      />
      <MessageList
        label={phoneCopy.messages(name)}
        messages={talkBetween(world, phone.person.id, other.id)}
        place={place}
        named={false}
        empty={phoneCopy.person.empty}
      />
      <Composer onSend={send} />
    </>
  );
}

/** A mini app put aside stays one tap away, at the foot of Telegram. */
function MinimisedApp() {
  const { ui, dispatch } = usePhone();
  if (ui.app === null || !ui.app.minimised) return null;
  const name = ui.app.launch.botName;
  return (
    <div className={css.minimised}>
      <button
        type="button"
        className={css.restore}
        aria-label={phoneCopy.frame.reopen(name)}
        onClick={() => dispatch({ type: "minimiseApp", minimised: false })}
      >
        <Icon name="window" size={18} />
        <span>{name}</span>
      </button>
      <button
        type="button"
        className={css.drop}
        aria-label={phoneCopy.frame.closeApp(name)}
        onClick={() => dispatch({ type: "closeApp" })}
      >
        <Icon name="close" size={18} />
      </button>
    </div>
  );
}

type BannerProps = {
  name: string;
  preview: string;
  avatar: { id: number; bot: boolean };
  onOpen: () => void;
};

function BannerView({ name, preview, avatar, onOpen }: BannerProps) {
  return (
    <button type="button" className={css.banner} onClick={onOpen}>
      <Avatar {...avatar} name={name} size={36} />
      <span className={css.bannerWords}>
        <b>{name}</b>
        <span>{preview}</span>
      </span>
    </button>
  );
}

function NoticeView() {
  const { ui, dispatch } = usePhone();
  const { notice } = ui;
  useEffect(() => {
    if (notice?.kind !== "toast") return;
    const timer = setTimeout(() => dispatch({ type: "notice", notice: null }), TOAST_MS);
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
      buttons={[{ id: "ok", text: phoneCopy.ok, tone: "default" }]}
      onChoice={() => dispatch({ type: "notice", notice: null })}
    />
  );
}
