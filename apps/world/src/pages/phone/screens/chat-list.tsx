import { type FormEvent, useState } from "react";
import { formatListTime } from "../../world/format.ts";
import { useWorld, useWorldNow } from "../../world/store.ts";
import { type ChatRow, fullName } from "../chat-rows.ts";
import { phoneCopy } from "../copy.fr.ts";
import { Avatar } from "../parts/avatar.tsx";
import { Icon } from "../parts/icon.tsx";
import { usePhone } from "../phone-context.ts";
import css from "./chat-list.module.css";

const copy = phoneCopy.list;
const LOOKS_LIKE_LINK = /^(https?:\/\/|t\.me\/|tg:|@)\S+$/i;

type Props = { rows: ChatRow[]; unread: (row: ChatRow) => number };

export function ChatList({ rows, unread }: Props) {
  const phone = usePhone();
  const [query, setQuery] = useState("");
  const words = query.trim();
  const isLink = LOOKS_LIKE_LINK.test(words);
  const found = isLink
    ? rows
    : rows.filter((row) => row.name.toLowerCase().includes(words.toLowerCase()));

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isLink) return;
    const url = words.startsWith("@") ? `https://t.me/${words.slice(1)}` : words;
    setQuery("");
    void phone.openUrl(url.startsWith("t.me/") ? `https://${url}` : url);
  };
  return (
    <div className={css.screen}>
      <header className={css.header}>
        <h2 className={css.title}>{copy.title}</h2>
        <button
          type="button"
          className={css.compose}
          aria-label={copy.compose}
          onClick={() => phone.dispatch({ type: "sheet", sheet: { kind: "compose" } })}
        >
          <Icon name="compose" />
        </button>
      </header>
      <form className={css.search} onSubmit={submit}>
        <Icon name="search" size={17} />
        <input
          aria-label={copy.search}
          placeholder={copy.search}
          value={query}
          autoComplete="off"
          onChange={(event) => setQuery(event.target.value)}
        />
        {isLink && (
          <button type="submit" className={css.go}>
            {copy.open}
          </button>
        )}
      </form>
      <Rows rows={found} unread={unread} />
      {rows.every((row) => row.at === null) && <Welcome />}
    </div>
  );
}

/** Before the first conversation: who holds this phone, and where to begin. */
function Welcome() {
  const { phone, person, dispatch } = usePhone();
  const role = phone.id === "buyer" ? "buyer" : "seller";
  const bot = useWorld().bots.find((one) => one.role === role);
  return (
    <div className={css.welcome}>
      <Avatar id={person.id} name={fullName(person)} size={64} />
      <p>{copy.welcome[phone.id](person.firstName)}</p>
      {phone.id !== "buyer" && bot !== undefined && (
        <button
          type="button"
          className={css.begin}
          onClick={() =>
            dispatch({ type: "goTo", screen: { at: "dialog", bot: role, startPayload: null } })
          }
        >
          {copy.begin(bot.name)}
        </button>
      )}
    </div>
  );
}

function Rows({ rows, unread }: Props) {
  const phone = usePhone();
  const now = useWorldNow(30_000);
  if (rows.length === 0) return <p className={css.none}>{copy.none}</p>;
  return (
    <ul className={css.rows} aria-label={copy.chats}>
      {rows.map((row) => {
        const count = unread(row);
        return (
          <li key={row.key}>
            <button
              type="button"
              className={css.row}
              onClick={() => phone.dispatch({ type: "goTo", screen: row.screen })}
            >
              <Avatar id={row.avatarId} name={row.name} bot={row.isBot} size={50} />
              <span className={css.words}>
                <span className={css.line}>
                  <span className={css.name}>
                    {row.mark !== null && <Icon name={row.mark} size={15} />}
                    <span className={css.cut}>{row.name}</span>
                  </span>
                  <span className={css.time}>
                    {row.at === null ? "" : formatListTime(row.at, now)}
                  </span>
                </span>
                <span className={css.line}>
                  <span className={css.preview}>{row.preview}</span>
                  {count > 0 && (
                    <span className={css.badge} role="img" aria-label={copy.unread(count)}>
                      {count}
                    </span>
                  )}
                </span>
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
