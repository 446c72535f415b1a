import { useEffect, useId, useState } from "react";
import { Icon } from "../../../kit/icons.tsx";
import { Stack, Text } from "../../../kit/layout.tsx";
import { Spinner } from "../../../kit/spinner.tsx";
import styles from "../catalogue.module.css";
import { catalogueCopy } from "../messages.fr.ts";
import { imageLimitMb, prepareImage } from "../prepare-image.ts";

const copy = catalogueCopy.form;

type State = { at: "idle" } | { at: "preparing" } | { at: "noted"; note: string; bad: boolean };

/** Chooses a picture, shrinks it, shows it. `current`: the address of the one already published. */
export function ImageField(props: {
  image: Blob | null;
  current: string | null;
  required: boolean;
  /** "Image" when absent. */
  label?: string;
  onChange(image: Blob): void;
}) {
  const { image, current } = props;
  const id = useId();
  const [state, setState] = useState<State>({ at: "idle" });
  const preview = usePreview(image);
  const choose = async (file: File | undefined) => {
    if (!file) return;
    setState({ at: "preparing" });
    const prepared = await prepareImage(file);
    if (!prepared.ok) return setState({ at: "noted", note: prepared.message, bad: true });
    props.onChange(prepared.image);
    setState(
      prepared.previewFailed
        ? { at: "noted", note: copy.imagePreviewFailed, bad: false }
        : { at: "idle" },
    );
  };
  const shown = preview ?? current;
  return (
    <Stack gap={2}>
      <Text as="span" size="small" tone="soft" strong id={`${id}-label`}>
        {props.label ?? copy.image}
        {props.required ? <span aria-hidden="true"> *</span> : null}
      </Text>
      <label className={styles.imageBox} data-filled={shown ? "" : undefined}>
        <input
          type="file"
          accept="image/*"
          className="only-heard"
          aria-labelledby={`${id}-label`}
          aria-describedby={`${id}-note`}
          onChange={(event) => {
            void choose(event.target.files?.[0]);
            event.target.value = "";
          }}
        />
        {shown ? (
          <img
            src={shown}
            alt={copy.imagePreview}
            onError={() => setState({ at: "noted", note: copy.imagePreviewFailed, bad: false })}
          />
        ) : null}
        <span className={styles.imageCall}>
          {state.at === "preparing" ? <Spinner /> : <Icon name="image" size={22} />}
          <span>
            {state.at === "preparing"
              ? copy.imagePreparing
              : shown || image
                ? copy.imageChange
                : copy.imageChoose}
          </span>
        </span>
      </label>
      <Text
        id={`${id}-note`}
        size="small"
        tone={state.at === "noted" && state.bad ? "brick" : "soft"}
        role={state.at === "noted" ? "alert" : undefined}
      >
        {state.at === "noted" ? state.note : copy.imageHint(imageLimitMb())}
      </Text>
    </Stack>
  );
}

function usePreview(image: Blob | null): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!image) return setUrl(null);
    const made = URL.createObjectURL(image);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [image]);
  return url;
}
