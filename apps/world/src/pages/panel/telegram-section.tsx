import type { BotView, ChatView, TelegramFaultRule } from "../../wire.ts";
import { act, control } from "../world/api.ts";
import { useWorld } from "../world/store.ts";
import { panelCopy } from "./copy.fr.ts";
import { Check } from "./fields.tsx";
import css from "./panel.module.css";

const copy = panelCopy.telegram;

const FAULTS: { text: string; rule: TelegramFaultRule }[] = [
  {
    text: copy.tooMany,
    rule: { method: "*", fault: { kind: "tooMany", retryAfterSeconds: 3 }, times: 3 },
  },
  { text: copy.outage, rule: { method: "*", fault: { kind: "serverError" }, times: null } },
  { text: copy.slow, rule: { method: "*", fault: { kind: "slow", ms: 4000 }, times: null } },
  { text: copy.dropAfter, rule: { method: "*", fault: { kind: "dropAfter" }, times: 1 } },
];

const LATE_MS = 5000;

export function TelegramSection() {
  const { telegram } = useWorld().faults;
  return (
    <section className={css.section} aria-label={copy.title}>
      <h3 className={css.title}>{copy.title}</h3>
      <div className={css.stack}>
        {FAULTS.map(({ text, rule }) => (
          <button
            type="button"
            key={text}
            className={css.button}
            onClick={() => void control("addTelegramFault", rule)}
          >
            {text}
          </button>
        ))}
      </div>
      {telegram.length > 0 && (
        <div className={css.between}>
          <span className={css.warning}>
            {telegram.map((rule) => copy.active(rule.fault.kind, rule.times)).join(", ")}
          </span>
          <button
            type="button"
            className={css.link}
            onClick={() => void control("clearTelegramFaults", {})}
          >
            {copy.clear}
          </button>
        </div>
      )}
      <BotRights />
      <Updates />
    </section>
  );
}

type Seat = { chat: ChatView; bot: BotView; ownerId: number };

/** Where a bot administers, and who could take it away: the owner does, by the panel's hand. */
function useSeats(): Seat[] {
  const { chats, bots } = useWorld();
  return chats.flatMap((chat) => {
    const ownerId = chat.members.find((member) => member.status === "creator")?.userId;
    if (ownerId === undefined || chat.migratedTo !== null) return [];
    return bots
      .filter((bot) =>
        chat.members.some((m) => m.userId === bot.id && m.status === "administrator"),
      )
      .map((bot) => ({ chat, bot, ownerId }));
  });
}

function BotRights() {
  const seats = useSeats();
  return (
    <>
      <h4 className={css.subtitle}>{copy.rights}</h4>
      {seats.length === 0 && <p className={css.quiet}>{copy.noChat}</p>}
      <ul>
        {seats.map(({ chat, bot, ownerId }) => {
          const takes = { personId: ownerId, chatId: chat.id, bot: bot.role };
          return (
            <li key={`${chat.id}/${bot.id}`} className={css.seat}>
              <span className={css.itemWords}>
                <b>{chat.title}</b>
                <span>{bot.name}</span>
              </span>
              <span className={css.actions}>
                <button
                  type="button"
                  className={css.small}
                  aria-label={copy.stripLabel(chat.title)}
                  onClick={() => void act("setBotRights", { ...takes, rights: [] })}
                >
                  {copy.strip}
                </button>
                <button
                  type="button"
                  className={css.small}
                  aria-label={copy.expelLabel(chat.title)}
                  onClick={() => void act("removeBot", takes)}
                >
                  {copy.expel}
                </button>
              </span>
            </li>
          );
        })}
      </ul>
    </>
  );
}

function Updates() {
  const { updates } = useWorld().faults;
  return (
    <>
      <h4 className={css.subtitle}>{copy.updates}</h4>
      <div className={css.checks}>
        <Check
          label={copy.copies}
          checked={updates.copies > 1}
          onChange={(on) => void control("setUpdateDelivery", { copies: on ? 3 : 1 })}
        />
        <Check
          label={copy.reorder}
          checked={updates.reorder}
          onChange={(reorder) => void control("setUpdateDelivery", { reorder })}
        />
        <Check
          label={copy.drop}
          checked={updates.drop}
          onChange={(drop) => void control("setUpdateDelivery", { drop })}
        />
        <Check
          label={copy.late}
          checked={updates.delayMs > 0}
          onChange={(on) => void control("setUpdateDelivery", { delayMs: on ? LATE_MS : 0 })}
        />
      </div>
    </>
  );
}
