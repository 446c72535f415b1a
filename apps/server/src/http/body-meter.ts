/** A body while it is received and while its request is handled. */
export type HeldBody = {
  /** Counts bytes that arrived. May end this body, or an older one, by its `cut`. */
  add(bytes: number): void;
  /** It is whole: from now on it is never cut, only released. */
  received(): void;
  /** It is needed no longer. */
  release(): void;
};

export type BodyMeter = {
  /**
   * @param key whose bytes are counted together: an address, a person.
   * @param cut called once, when the body must not go on; its bytes are released already.
   */
  open(key: string, cut: (reason: CutReason) => void): HeldBody;
  /** Bytes held now. */
  readonly heldBytes: number;
};

/** `key`: the sender holds too much. `all`: everybody together does. */
export type CutReason = "key" | "all";

export type BodyMeterLimits = { readonly perKeyBytes: number; readonly allBytes: number };

/** What the smallest piece costs beside its bytes: many tiny ones must not weigh nothing. */
const PIECE_BYTES = 256;

type Entry = HeldBody & { readonly key: string; cut(reason: CutReason): void };
type Owner = { bytes: number; open: number; readonly receiving: Set<Entry> };

/**
 * Bounds the memory of requests under way, for each sender and in all. Past the bound the body that
 * has been received for the longest is cut: a whole request lasts milliseconds, so the oldest ones
 * are those that trickle, and nobody can keep others out by holding bodies open.
 */
export function createBodyMeter({ perKeyBytes, allBytes }: BodyMeterLimits): BodyMeter {
  const owners = new Map<string, Owner>();
  // In the order in which they began.
  const receiving = new Set<Entry>();
  let heldBytes = 0;

  function ownerOf(key: string): Owner {
    const owner = owners.get(key) ?? { bytes: 0, open: 0, receiving: new Set<Entry>() };
    owners.set(key, owner);
    return owner;
  }

  function cutOldest(among: ReadonlySet<Entry>, reason: CutReason): boolean {
    const [oldest] = among;
    if (!oldest) return false;
    oldest.release();
    oldest.cut(reason);
    return true;
  }

  return {
    get heldBytes() {
      return heldBytes;
    },
    open(key, cut) {
      const owner = ownerOf(key);
      let held = 0;
      let open = true;
      const entry: Entry = {
        key,
        cut,
        add(bytes) {
          if (!open) return;
          const cost = bytes + PIECE_BYTES;
          held += cost;
          owner.bytes += cost;
          heldBytes += cost;
          while (open && owner.bytes > perKeyBytes && cutOldest(owner.receiving, "key"));
          while (open && heldBytes > allBytes && cutOldest(receiving, "all"));
        },
        received() {
          receiving.delete(entry);
          owner.receiving.delete(entry);
        },
        release() {
          if (!open) return;
          open = false;
          entry.received();
          owner.bytes -= held;
          heldBytes -= held;
          owner.open -= 1;
          if (owner.open === 0) owners.delete(key);
        },
      };
      owner.open += 1;
      receiving.add(entry);
      owner.receiving.add(entry);
      return entry;
    },
  };
}
