import { useEffect, useEffectEvent, useState } from "react";
import type {
  ActorCalls,
  AdminRight,
  ChatKind,
  InvitePreview,
  InvoiceView,
  Place,
} from "../../wire.ts";
import { control, useEmulators } from "../emulators.ts";
import { canManage, fullName, isInside } from "./chat-rows.ts";
import { phoneCopy } from "./messages.fr.ts";
import { Action, Avatar, BottomSheet, Cell, Section } from "./parts/parts.tsx";
import css from "./phone.module.css";
import { type AddLink, type ClosedInvoice, usePhone, goTo, push } from "./phone-state.ts";
import { CreateForm, Rights } from "./screens.tsx";

export function Sheets() {
  const { sheet } = usePhone().ui;
  switch (sheet?.kind) {
    case "invite":
      return <InviteSheet invite={sheet.invite} />;
    case "addBot":
      return <AddBotSheet link={sheet.link} url={sheet.url} />;
    case "share":
      return <ShareSheet text={sheet.text} />;
    case "invoice":
      return <InvoiceSheet invoice={sheet.invoice} onClosed={sheet.onClosed} />;
    case "compose":
      return <ComposeSheet />;
    case undefined:
      return null;
  }
}

function useClose() {
  const { dispatch } = usePhone();
  return () => dispatch({ sheet: null });
}

const KINDS: ChatKind[] = ["supergroup", "channel", "group"];

function ComposeSheet() {
  const { dispatch } = usePhone();
  const copy = phoneCopy.create;
  return (
    <BottomSheet label={copy.menu} onClose={useClose()}>
      {KINDS.map((kind) => (
        <Cell
          key={kind}
          title={copy.title[kind]}
          label={copy.title[kind]}
          subtitle={copy.hint[kind]}
          onClick={() => dispatch(push({ at: "create", kind }))}
        />
      ))}
    </BottomSheet>
  );
}

/** What stands behind t.me/+HASH. It follows the emulators: a request accepted shows at once. */
function InviteSheet({ invite }: { invite: InvitePreview }) {
  const { act, dispatch } = usePhone();
  const { version } = useEmulators();
  const { link, state, chatId, title, kind, memberCount } = invite;
  const close = useClose();
  const show = (fresh: InvitePreview) => dispatch({ sheet: { kind: "invite", invite: fresh } });

  const look = useEffectEvent(async (wanted: () => boolean) => {
    const answer = await act("previewInvite", { link });
    if (answer !== null && wanted()) show(answer.gives);
  });
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- asked anew at each change of the emulators
  useEffect(() => {
    let open = true;
    void look(() => open);
    return () => {
      open = false;
    };
  }, [version, link]);

  const press = async () => {
    if (state === "open" || state === "askable") {
      const answer = await act("join", { link });
      if (answer !== null) show(answer.gives);
    } else if (state === "member" && chatId !== null) {
      dispatch(goTo({ at: "chat", chatId }));
    } else if (state === "asked" && chatId !== null) {
      await act("cancelJoinRequest", { chatId });
    } else close();
  };
  const words = phoneCopy.invite[state];
  return (
    <BottomSheet label={title || phoneCopy.info.links} onClose={close}>
      <div className={css.hero}>
        {title !== "" && <Avatar id={chatId ?? 0} name={title} size={72} />}
        {kind !== null && (
          <p>
            {phoneCopy.kinds[kind]} · {phoneCopy.size(kind, memberCount)}
          </p>
        )}
        <b role="status">{words.text}</b>
      </div>
      <Action text={words.button} onClick={press} />
    </BottomSheet>
  );
}

type Choice = AddLink["choices"][number];
type Step = { at: "choose" } | { at: "create" } | { at: "confirm"; choice: Choice };

/** startgroup and startchannel links: which chat, then which rights. */
function AddBotSheet({ link, url }: { link: AddLink; url: string }) {
  const phone = usePhone();
  const copy = phoneCopy.addBot;
  const [step, setStep] = useState<Step>({ at: "choose" });
  const channel = link.kind === "addToChannel";
  const kind: ChatKind = channel ? "channel" : "supergroup";
  const create = async (title: string) => {
    const takes = { ownerId: phone.person.id, kind, title };
    if ((await phone.act("createChat", takes)) === null) return;
    await phone.openUrl(url);
    setStep({ at: "choose" });
  };
  return (
    <BottomSheet label={channel ? copy.chooseChannel : copy.chooseGroup} onClose={useClose()}>
      {step.at === "choose" && (
        <>
          {link.choices.length === 0 && <p className={css.hint}>{copy.none}</p>}
          {link.choices.map((choice) => (
            <Cell
              key={choice.chatId}
              title={choice.title}
              subtitle={phoneCopy.kinds[choice.kind]}
              label={choice.title}
              before={<Avatar id={choice.chatId} name={choice.title} />}
              onClick={() => setStep({ at: "confirm", choice })}
            />
          ))}
          <Cell
            title={channel ? copy.createChannel : copy.createGroup}
            onClick={() => setStep({ at: "create" })}
          />
        </>
      )}
      {step.at === "create" && <CreateForm kind={kind} onCreate={create} />}
      {step.at === "confirm" && <ConfirmBot link={link} choice={step.choice} />}
    </BottomSheet>
  );
}

function ConfirmBot({ link, choice }: { link: AddLink; choice: Choice }) {
  const phone = usePhone();
  const copy = phoneCopy.addBot;
  const bot = useEmulators().bots.find((one) => one.role === link.bot);
  const [rights, setRights] = useState<AdminRight[]>(link.rights);
  const add = async () => {
    const takes = { chatId: choice.chatId, bot: link.bot, rights };
    const payload = link.kind === "addToGroup" ? link.payload : null;
    const answer = await phone.act("addBot", payload === null ? takes : { ...takes, payload });
    if (answer === null) return;
    phone.dispatch(goTo({ at: "chat", chatId: answer.gives.chatId }));
  };
  return (
    <>
      <p className={css.hint}>{copy.confirm(bot?.name ?? "", choice.title)}</p>
      {link.rights.length > 0 && (
        <Rights title={copy.rights} shown={link.rights} chosen={rights} onChange={setRights} />
      )}
      {choice.kind === "group" && rights.length > 0 && <p className={css.hint}>{copy.upgrade}</p>}
      <Action text={rights.length > 0 ? copy.asAdmin : copy.asMember} onClick={add} />
    </>
  );
}

/** Chooses whom a link is sent to. */
function ShareSheet({ text }: { text: string }) {
  const phone = usePhone();
  const copy = phoneCopy.share;
  const { persons, chats } = useEmulators();
  const close = useClose();
  const me = phone.person.id;
  const writable = chats.filter(
    (chat) =>
      chat.migratedTo === null &&
      isInside(chat, me) &&
      (chat.kind !== "channel" || canManage(chat, me)),
  );
  const send = async (to: Place, name: string) => {
    if ((await phone.act("sendMessage", { to, text })) === null) return;
    close();
    phone.say(copy.sent(name));
  };
  const target = (id: number, name: string, to: Place) => (
    <Cell
      key={id}
      title={name}
      before={<Avatar id={id} name={name} />}
      onClick={() => void send(to, name)}
    />
  );
  return (
    <BottomSheet label={copy.title} onClose={close}>
      <p className={css.hint}>{text}</p>
      <Section title={copy.people}>
        {persons
          .filter(({ id }) => id !== me)
          .map((one) => target(one.id, fullName(one), { personId: one.id }))}
      </Section>
      <Section title={copy.chats}>
        {writable.map(({ id, title }) => target(id, title, { chatId: id }))}
      </Section>
    </BottomSheet>
  );
}

/** What one buys at a time: enough for most prices, little enough to run out. */
const BOUGHT = 1_000;

type InvoiceProps = { invoice: InvoiceView; onClosed: ((status: ClosedInvoice) => void) | null };

/** What a bot asks for in Stars: paid here, or put away. */
function InvoiceSheet({ invoice, onClosed }: InvoiceProps) {
  const phone = usePhone();
  const copy = phoneCopy.stars;
  const { person } = phone;
  const [paying, setPaying] = useState(false);
  const { slug: link, title, botName, description, amount } = invoice;
  const missing = amount - person.stars;
  const end = (status: ClosedInvoice) => {
    phone.dispatch({ sheet: null });
    onClosed?.(status);
  };
  const putAway = () => {
    void phone.act("cancelInvoice", { link });
    end(paying ? "pending" : "cancelled");
  };
  const pay = async () => {
    setPaying(true);
    const answer = await phone.act("payInvoice", { link });
    if (answer === null) return end("failed");
    say(answer.gives);
    end(answer.gives.status);
  };
  const say = ({ status, why, words }: ActorCalls["payInvoice"]["gives"]) => {
    if (status === "paid") return phone.say(copy.paid(title));
    const text = why === "no-answer" ? copy.noAnswer : (words ?? copy.refused);
    phone.dispatch({ notice: { kind: "alert", text } });
  };
  const buy = () => void control("setStars", { personId: person.id, stars: person.stars + BOUGHT });
  const short = missing > 0 && !paying;
  return (
    <BottomSheet label={copy.title} onClose={putAway}>
      <div className={css.hero}>
        <p>{copy.to(botName)}</p>
        <h2>{title}</h2>
        <p>{description}</p>
        <h2>{copy.amount(amount)}</h2>
        <p role="status">
          {paying ? copy.paying : short ? copy.missing(missing) : copy.wallet(person.stars)}
        </p>
      </div>
      <Action
        text={short ? copy.buy(BOUGHT) : copy.pay(amount)}
        disabled={paying}
        onClick={short ? buy : pay}
      />
      <p className={css.hint}>{copy.simulated}</p>
    </BottomSheet>
  );
}
