import {
  IMAGE_MB,
  IMAGE_MB_MOBILE,
  type ProductOnWire,
  REQUIRED_FIELD_NAMES,
  sayImageTooLarge,
} from "@sesame/contract/catalogue";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useLocation } from "wouter";
import { call } from "../../lib/api.ts";
import { newIdempotencyKey, sayError } from "../../lib/request.ts";
import { haptic, useClosingConfirmation } from "../../telegram/native.ts";
import { Button } from "../../kit/button.tsx";
import { Drawing } from "../../kit/drawings.tsx";
import { Icon, Spinner } from "../../kit/icons.tsx";
import { Stack, Text } from "../../kit/layout.tsx";
import { Dialog, type DialogAction } from "../../kit/modal.tsx";
import { Page } from "../../kit/screen.tsx";
import { Form } from "../../kit/use-form.tsx";
import { catalogueCopy, type FormWords } from "./messages.fr.ts";
import { shareProduct, usePutProduct } from "./products.tsx";
import styles from "./catalogue.module.css";

const copy = catalogueCopy.form;

/** An image uploads slowly on a slow network: the time limit for all attempts together. */
const UPLOAD = { withinMs: 60_000, waits: true } as const;
/** After that the form says that the upload goes on (A §9). */
const SLOW_MS = 5_000;

/** The page of a form that makes a product, or changes one. */
export function ProductFormPage(props: {
  /** Null: a new one. */
  product: ProductOnWire | null;
  words: FormWords;
  subtitle?: string | undefined;
  changed: boolean;
  /** Why the form cannot be sent yet. */
  lack: string | null;
  /** What is sent: the same content again keeps its idempotency key. */
  content: readonly unknown[];
  body(): FormData;
  onSent?(): void;
  /** Called when the success dialog is closed. */
  onLeave?(): void;
  children: ReactNode;
}) {
  const { product, words, content } = props;
  const [, navigate] = useLocation();
  const put = usePutProduct();
  // One key for one content: a second tap after a lost answer counts once.
  const attempt = useRef({ content, key: "" });
  const write = useMutation({
    mutationFn: () => {
      const same = attempt.current.content.every((part, at) => part === content[at]);
      const key = (same && attempt.current.key) || newIdempotencyKey();
      attempt.current = { content, key };
      const sent = { form: props.body(), key, ...UPLOAD };
      return product === null
        ? call("POST /api/products", sent)
        : call("PUT /api/products/:id", { params: { id: product.id }, ...sent });
    },
    onSuccess: (answer) => {
      haptic("success");
      props.onSent?.();
      put(answer);
    },
    onError: () => haptic("error"),
  });
  useClosingConfirmation(props.changed && !write.isSuccess);
  const error = write.error && sayError(write.error, words.failed);
  const made = write.data?.product;
  const leave = () => {
    props.onLeave?.();
    navigate("/ProductsList");
  };
  const see: DialogAction[] = made
    ? [{ label: copy.share, look: "tinted", run: () => navigate(`/ProductCard/${made.id}`) }]
    : [];
  if (made?.status === "active") {
    see.unshift({ label: catalogueCopy.card.byTelegram, run: () => shareProduct(made) });
  }
  return (
    <Page title={words.title} subtitle={props.subtitle}>
      <Form
        onSubmit={() => {
          if (!write.isPending) write.mutate();
        }}
      >
        {props.children}
        <Button type="submit" busy={write.isPending} lack={props.lack}>
          {write.isPending ? words.sending : words.send}
        </Button>
        {write.isPending ? <Sending words={words} /> : null}
      </Form>
      {error ? (
        <Dialog
          title={copy.errorTitle}
          onClose={write.reset}
          actions={[{ label: catalogueCopy.understood, run: write.reset }]}
        >
          <p role="alert">{error}</p>
        </Dialog>
      ) : null}
      {write.isSuccess ? (
        <Dialog
          title={words.sent}
          picture={<Drawing name="door" />}
          onClose={leave}
          actions={[...see, { label: catalogueCopy.card.back, look: "tinted", run: leave }]}
        >
          {made?.status === "pending" && made.status_reason
            ? copy.publishedPending(made.status_reason)
            : null}
        </Dialog>
      ) : null}
    </Page>
  );
}

/** Read to screen readers at once, shown when it takes long. */
function Sending({ words }: { words: FormWords }) {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Text role="status" size="small" tone="soft" center>
      {slow ? copy.slow : <span className="visually-hidden">{words.sending}</span>}
    </Text>
  );
}

/** Chooses a picture, shrinks it, shows it. `current`: the address of the one already published. */
export function ImageField(props: {
  image: Blob | null;
  current: string | null;
  required?: boolean;
  /** "Image" when absent. */
  label?: string;
  onChange(image: Blob): void;
}) {
  const { image, current } = props;
  const id = useId();
  const [preparing, setPreparing] = useState(false);
  const [note, setNote] = useState<{ words: string; bad: boolean } | null>(null);
  const preview = usePreview(image);
  const choose = async (file: File | undefined) => {
    if (!file) return;
    setNote(null);
    setPreparing(true);
    const prepared = await prepareImage(file);
    setPreparing(false);
    if (typeof prepared === "string") return setNote({ words: prepared, bad: true });
    props.onChange(prepared.image);
    setNote(prepared.shown ? null : NOT_SHOWN);
  };
  // For a picture that the browser cannot draw there are words below, and no broken image.
  const [undrawn, setUndrawn] = useState<string | null>(null);
  const chosen = preview ?? current;
  const shown = chosen === undrawn ? null : chosen;
  return (
    <Stack gap={2}>
      <Text as="span" size="small" tone="soft" strong id={`${id}-label`}>
        {props.label ?? REQUIRED_FIELD_NAMES.image}
        {props.required ? <span aria-hidden="true"> *</span> : null}
      </Text>
      <label className={styles.imageBox} data-filled={shown ? "" : undefined}>
        <input
          type="file"
          accept="image/*"
          className="visually-hidden"
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
            onError={() => {
              setUndrawn(shown);
              setNote(NOT_SHOWN);
            }}
          />
        ) : null}
        <span className={styles.imageCall}>
          {preparing ? <Spinner /> : <Icon name="image" size={22} />}
          <span>
            {preparing ? copy.imagePreparing : shown || image ? copy.imageChange : copy.imageChoose}
          </span>
        </span>
      </label>
      <Text
        id={`${id}-note`}
        size="small"
        tone={note?.bad ? "brick" : "soft"}
        role={note ? "alert" : undefined}
      >
        {note?.words ?? copy.imageHint(imageLimitMb())}
      </Text>
    </Stack>
  );
}

const NOT_SHOWN = { words: copy.imagePreviewFailed, bad: false };

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

const SIDE_MAX = 1_600;
const QUALITY = 0.86;

/** Megabytes this device may send (A §5). */
function imageLimitMb(): number {
  const phone = /Android|iPhone|iPad|Mobile/i.test(navigator.userAgent);
  return phone ? IMAGE_MB_MOBILE : IMAGE_MB;
}

/** Shrinks a photo, then holds it to the limits (decision 92). Words: why it is not taken. */
async function prepareImage(file: Blob): Promise<{ image: Blob; shown: boolean } | string> {
  if (!file.type.startsWith("image/")) return copy.imageNotAnImage;
  const shrunk = await shrink(file);
  const image = shrunk && shrunk.size < file.size ? shrunk : file;
  const limitMb = imageLimitMb();
  if (image.size > limitMb * 1024 * 1024) return sayImageTooLarge(limitMb);
  return { image, shown: shrunk !== null };
}

/** Null when this browser cannot read the picture: it is then sent as it is. */
async function shrink(file: Blob): Promise<Blob | null> {
  try {
    const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
    const scale = Math.min(1, SIDE_MAX / Math.max(bitmap.width, bitmap.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(bitmap.width * scale));
    canvas.height = Math.max(1, Math.round(bitmap.height * scale));
    canvas.getContext("2d")?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    bitmap.close();
    return (await encode(canvas, "image/webp")) ?? (await encode(canvas, "image/jpeg"));
  } catch {
    return null;
  }
}

/** Null when the browser answers another format than the one asked for. */
function encode(canvas: HTMLCanvasElement, type: string): Promise<Blob | null> {
  return new Promise((resolve) => {
    canvas.toBlob((blob) => resolve(blob?.type === type ? blob : null), type, QUALITY);
  });
}

/** Whether a value differs from the first one. */
export function isChanged(values: Readonly<Record<string, string>>, begun: object): boolean {
  return Object.entries(begun).some(([name, value]) => values[name] !== value);
}
