import { useState } from "react";
import type { AdminRight, ChatKind, OpenedLink } from "../../../wire.ts";
import { useWorld } from "../../world/store.ts";
import { phoneCopy } from "../copy.fr.ts";
import { Avatar } from "../parts/avatar.tsx";
import { Cell, Section } from "../parts/cells.tsx";
import { Icon } from "../parts/icon.tsx";
import css from "../parts/parts.module.css";
import { BottomSheet } from "../parts/sheet.tsx";
import { usePhone } from "../phone-context.ts";
import { RightsSwitches } from "../screens/admin.tsx";
import { CreateForm } from "../screens/create.tsx";

const copy = phoneCopy.addBot;

type AddLink = Extract<OpenedLink, { kind: "addToGroup" | "addToChannel" }>;
type Choice = AddLink["choices"][number];
type Step = { at: "choose" } | { at: "create" } | { at: "confirm"; choice: Choice };

/** startgroup and startchannel links: which chat, then which rights. */
export function AddBotSheet({ link, url }: { link: AddLink; url: string }) {
  const phone = usePhone();
  const [step, setStep] = useState<Step>({ at: "choose" });
  const channel = link.kind === "addToChannel";
  const title = channel ? copy.chooseChannel : copy.chooseGroup;
  const kind: ChatKind = channel ? "channel" : "supergroup";
  const create = async (name: string) => {
    const takes = { ownerId: phone.person.id, kind, title: name };
    if ((await phone.act("createChat", takes)) === null) return;
    await phone.openUrl(url);
    setStep({ at: "choose" });
  };
  return (
    <BottomSheet label={title} onClose={() => phone.dispatch({ type: "sheet", sheet: null })}>
      {step.at === "choose" && (
        <Choices
          link={link}
          onChoose={(choice) => setStep({ at: "confirm", choice })}
          onCreate={() => setStep({ at: "create" })}
        />
      )}
      {step.at === "create" && <CreateForm kind={kind} onCreate={create} />}
      {step.at === "confirm" && <Confirm link={link} choice={step.choice} />}
    </BottomSheet>
  );
}

type ChoicesProps = {
  link: AddLink;
  onChoose: (choice: Choice) => void;
  onCreate: () => void;
};

function Choices({ link, onChoose, onCreate }: ChoicesProps) {
  const createText = link.kind === "addToChannel" ? copy.createChannel : copy.createGroup;
  return (
    <>
      {link.choices.length === 0 && <p className={css.hint}>{copy.none}</p>}
      <Section>
        {link.choices.map((choice) => (
          <Cell
            key={choice.chatId}
            title={choice.title}
            subtitle={phoneCopy.kinds[choice.kind]}
            label={choice.title}
            before={<Avatar id={choice.chatId} name={choice.title} size={42} />}
            onClick={() => onChoose(choice)}
          />
        ))}
        <Cell
          title={createText}
          tone="accent"
          before={<Icon name="plus" size={24} />}
          onClick={onCreate}
        />
      </Section>
    </>
  );
}

function Confirm({ link, choice }: { link: AddLink; choice: Choice }) {
  const phone = usePhone();
  const bot = useWorld().bots.find((one) => one.role === link.bot);
  const [rights, setRights] = useState<AdminRight[]>(link.rights);
  const add = async () => {
    const takes = { chatId: choice.chatId, bot: link.bot, rights };
    const payload = link.kind === "addToGroup" ? link.payload : null;
    const answer = await phone.act("addBot", payload === null ? takes : { ...takes, payload });
    if (answer === null) return;
    phone.dispatch({ type: "goTo", screen: { at: "chat", chatId: answer.gives.chatId } });
  };
  return (
    <>
      <p className={css.question}>{copy.confirm(bot?.name ?? "", choice.title)}</p>
      {link.rights.length > 0 && (
        <RightsSwitches
          title={copy.rights}
          shown={link.rights}
          chosen={rights}
          onChange={setRights}
        />
      )}
      {choice.kind === "group" && rights.length > 0 && <p className={css.hint}>{copy.upgrade}</p>}
      <button type="button" className={css.wide} onClick={() => void add()}>
        {rights.length > 0 ? copy.asAdmin : copy.asMember}
      </button>
    </>
  );
}
