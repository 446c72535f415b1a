import { Button, IconButton } from "../kit/button.tsx";
import styles from "./gallery.module.css";
import { Part } from "./part.tsx";
import { words } from "./messages.fr.ts";

const copy = words.button;
const nothing = () => {};

export function ButtonParts() {
  return (
    <>
      <Part name="buttons" title={words.parts.buttons}>
        <Button>{copy.filled}</Button>
        <Button look="tinted" icon="copy">
          {copy.tinted}
        </Button>
        <Button look="plain">{copy.plain}</Button>
        <Button look="danger">{copy.danger}</Button>
        <Button look="danger-tinted" icon="logout">
          {copy.dangerTinted}
        </Button>
        <Button busy>{copy.busy}</Button>
        <Button disabled>{copy.disabled}</Button>
        <Button lack={copy.lack}>{copy.disabled}</Button>
        <Button look="tinted" icon="plus">
          {copy.long}
        </Button>
        <div className={styles.brand}>
          <Button look="on-brand" icon="arrowOut">
            {copy.onBrand}
          </Button>
        </div>
        <div className={styles.line}>
          <Button size="small">{copy.small}</Button>
          <Button size="small" look="tinted">
            {copy.small}
          </Button>
          <IconButton icon="search" label={copy.search} onClick={nothing} />
          <IconButton icon="filter" label={copy.filter} pressed onClick={nothing} />
          <IconButton icon="refresh" label={copy.refresh} busy onClick={nothing} />
        </div>
      </Part>
      <Part name="pressed" title={words.parts.pressed}>
        <div data-force="active">
          <Button>{copy.filled}</Button>
        </div>
        <div data-force="focus-visible focus">
          <Button look="tinted">{copy.tinted}</Button>
        </div>
        <div className={styles.line}>
          <div data-force="active">
            <IconButton icon="search" label={copy.search} onClick={nothing} />
          </div>
          <div data-force="focus-visible focus">
            <IconButton icon="filter" label={copy.filter} onClick={nothing} />
          </div>
        </div>
      </Part>
    </>
  );
}
