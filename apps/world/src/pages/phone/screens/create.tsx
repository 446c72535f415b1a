import { type FormEvent, useState } from "react";
import type { ChatKind } from "../../../wire.ts";
import { phoneCopy } from "../copy.fr.ts";
import { ScreenHeader } from "../parts/header.tsx";
import css from "../parts/parts.module.css";
import { usePhone } from "../phone-context.ts";

const copy = phoneCopy.create;

export function CreateChat({ kind }: { kind: ChatKind }) {
  const phone = usePhone();
  const create = async (title: string) => {
    const answer = await phone.act("createChat", { ownerId: phone.person.id, kind, title });
    if (answer === null) return;
    phone.dispatch({ type: "goTo", screen: { at: "chat", chatId: answer.gives.chatId } });
  };
  return (
    <>
      <ScreenHeader title={copy.title[kind]} />
      <div className={css.page}>
        <CreateForm kind={kind} onCreate={create} />
      </div>
    </>
  );
}

type FormProps = {
  kind: ChatKind;
  onCreate: (title: string) => Promise<void>;
};

export function CreateForm({ kind, onCreate }: FormProps) {
  const [title, setTitle] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void onCreate(title.trim());
  };
  return (
    <form onSubmit={submit}>
      <p className={css.hint}>{copy.hint[kind]}</p>
      <label className={css.field}>
        {copy.name}
        <input
          className={css.input}
          value={title}
          maxLength={128}
          onChange={(event) => setTitle(event.target.value)}
        />
      </label>
      <button type="submit" className={css.wide} disabled={title.trim() === ""}>
        {copy.submit}
      </button>
    </form>
  );
}
