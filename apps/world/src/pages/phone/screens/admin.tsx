import { useState } from "react";
import type { AdminRight, BotRole, BotView, ChatView } from "../../../wire.ts";
import { useWorld } from "../../world/store.ts";
import { phoneCopy } from "../copy.fr.ts";
import { Section, SwitchCell } from "../parts/cells.tsx";
import { ScreenHeader } from "../parts/header.tsx";
import css from "../parts/parts.module.css";
import { usePhone } from "../phone-context.ts";
import { BOT_RIGHTS } from "../ui-state.ts";

const copy = phoneCopy.admin;

export function AdminScreen({ chatId, role }: { chatId: number; role: BotRole }) {
  const world = useWorld();
  const chat = world.chats.find((one) => one.id === chatId);
  const bot = world.bots.find((one) => one.role === role);
  if (chat === undefined || bot === undefined) return <ScreenHeader title={copy.title} />;
  const rights = chat.members.find((member) => member.userId === bot.id)?.rights ?? [];
  return (
    <>
      <ScreenHeader title={copy.title} subtitle={`${bot.name} · ${chat.title}`} />
      <div className={css.page}>
        <RightsForm key={rights.join()} chat={chat} bot={bot} rights={rights} />
      </div>
    </>
  );
}

type FormProps = { chat: ChatView; bot: BotView; rights: AdminRight[] };

function RightsForm({ chat, bot, rights }: FormProps) {
  const phone = usePhone();
  const [chosen, setChosen] = useState(rights);
  const save = async () => {
    const takes = { chatId: chat.id, bot: bot.role, rights: chosen };
    const answer = await phone.act("setBotRights", takes);
    if (answer === null) return;
    phone.say(copy.saved);
    const screen = { at: "info", chatId: answer.gives.chatId } as const;
    phone.dispatch({ type: "back" });
    phone.dispatch({ type: "replace", screen });
  };
  const shown = [...new Set([...BOT_RIGHTS, ...rights])];
  return (
    <>
      <RightsSwitches title={copy.hint} shown={shown} chosen={chosen} onChange={setChosen} />
      <button type="button" className={css.wide} onClick={() => void save()}>
        {phoneCopy.save}
      </button>
    </>
  );
}

type SwitchesProps = {
  title: string;
  shown: AdminRight[];
  chosen: AdminRight[];
  onChange: (rights: AdminRight[]) => void;
};

export function RightsSwitches({ title, shown, chosen, onChange }: SwitchesProps) {
  return (
    <Section title={title}>
      {shown.map((right) => (
        <SwitchCell
          key={right}
          label={phoneCopy.rights[right]}
          checked={chosen.includes(right)}
          onChange={(on) =>
            onChange(on ? [...chosen, right] : chosen.filter((one) => one !== right))
          }
        />
      ))}
    </Section>
  );
}
