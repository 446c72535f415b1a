import type { BotRole } from "../../../wire.ts";
import { useWorld } from "../../world/store.ts";
import { phoneCopy } from "../copy.fr.ts";
import { Avatar } from "../parts/avatar.tsx";
import { Cell, Section } from "../parts/cells.tsx";
import { ScreenHeader } from "../parts/header.tsx";
import css from "../parts/parts.module.css";
import { usePhone } from "../phone-context.ts";

const copy = phoneCopy.bots;

export function BotPage({ role }: { role: BotRole }) {
  const phone = usePhone();
  const world = useWorld();
  const bot = world.bots.find((one) => one.role === role);
  const dialog = world.dialogs.find((one) => one.personId === phone.person.id && one.bot === role);
  if (bot === undefined) return null;
  return (
    <>
      <ScreenHeader title={bot.name} subtitle={`@${bot.username}`} />
      <div className={css.page}>
        <div className={css.hero}>
          <Avatar id={bot.id} name={bot.name} bot size={84} />
          <h2 className={css.heroName}>{bot.name}</h2>
          <p className={css.heroNote}>{bot.shortDescription}</p>
        </div>
        <Section>
          <Cell
            title={copy.open}
            tone="accent"
            onClick={() => void phone.openApp({ bot: role, mode: "main" })}
          />
          {dialog?.blocked ? (
            <Cell
              title={copy.unblock}
              tone="accent"
              onClick={() => void phone.act("unblockBot", { bot: role })}
            />
          ) : (
            <Cell
              title={copy.block}
              tone="danger"
              onClick={() => void phone.act("blockBot", { bot: role })}
            />
          )}
        </Section>
        {bot.commands.length > 0 && (
          <Section title={copy.commands}>
            {bot.commands.map((command) => (
              <Cell
                key={command.command}
                title={`/${command.command}`}
                subtitle={command.description}
              />
            ))}
          </Section>
        )}
      </div>
    </>
  );
}
