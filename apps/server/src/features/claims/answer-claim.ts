import { type ClaimsRefusal, readClaimWords } from "@sesame/contract/claims";
import { ok, type Result, refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import type { Db } from "../../postgres/database.ts";
import * as texts from "./messages.fr.ts";
import {
  addEntry,
  closeClaim,
  countWords,
  handToOperator,
  type LockedClaim,
  lockClaim,
} from "./claim.store.ts";
import { announce, toBuyer, toOperators, toSeller } from "./tell.ts";

type Answering = {
  readonly id: bigint;
  readonly personId: bigint;
  readonly words: unknown;
};

/** Of one party in one claim. */
const MESSAGES_MAX = 30;

type Outcome = Promise<Result<null, ClaimsRefusal>>;
type Party = { readonly claim: LockedClaim; readonly as: "buyer" | "seller" };

/** The claim under its lock, for one of its two parties. */
async function open(tx: Db, asked: Answering): Promise<Result<Party, ClaimsRefusal>> {
  const claim = await lockClaim(tx, asked.id);
  const isBuyer = claim?.buyer_id === asked.personId;
  if (!claim || (!isBuyer && claim.seller_id !== asked.personId)) {
    return refuse({ kind: "claims.not-found" });
  }
  return ok({ claim, as: isBuyer ? "buyer" : "seller" });
}

function isOpen({ status }: LockedClaim): boolean {
  return status === "seller" || status === "operator";
}

/** A party says something: the other one hears it. */
export async function answerIn(app: App, tx: Db, asked: Answering): Outcome {
  const party = await open(tx, asked);
  if (!party.ok) return party;
  const { claim, as } = party.value;
  const words = readClaimWords(asked.words, true);
  if (!words.ok) return words;
  if (!isOpen(claim)) return refuse({ kind: "claims.closed" });
  if ((await countWords(tx, claim.id, as)) >= MESSAGES_MAX) {
    return refuse({ kind: "claims.too-many-words" });
  }
  const now = app.clock.now();
  const entry = { claimId: claim.id, author: as, authorId: asked.personId, step: "said" } as const;
  await addEntry(tx, { ...entry, words: words.value }, now);
  const text = texts.answered(claim, words.value ?? "");
  const tellings = as === "buyer" ? toSeller(app, claim, text) : [toBuyer(app, claim, text)];
  await announce(tx, claim, { tellings, now });
  return ok(null);
}

/** The seller does not agree: the operator decides. */
export async function contestIn(app: App, tx: Db, asked: Answering): Outcome {
  const party = await open(tx, asked);
  if (!party.ok) return party;
  const { claim, as } = party.value;
  if (as !== "seller") return refuse({ kind: "claims.not-found" });
  const words = readClaimWords(asked.words, true);
  if (!words.ok) return words;
  if (!isOpen(claim)) return refuse({ kind: "claims.closed" });
  if (claim.status === "operator") return refuse({ kind: "claims.with-operator" });
  const now = app.clock.now();
  await handToOperator(tx, claim.id);
  const entry = { claimId: claim.id, author: as, authorId: asked.personId } as const;
  await addEntry(tx, { ...entry, step: "contested", words: words.value }, now);
  const operators = await toOperators(app, tx, { claim, why: "contested", words: words.value });
  const buyer = toBuyer(app, claim, texts.contestedForBuyer(claim, words.value ?? ""));
  await announce(tx, claim, { tellings: [buyer, ...operators], now });
  return ok(null);
}

/** The buyer has what he wanted, or thinks better of it. */
export async function withdrawIn(app: App, tx: Db, asked: Answering): Outcome {
  const party = await open(tx, asked);
  if (!party.ok) return party;
  const { claim, as } = party.value;
  if (as !== "buyer") return refuse({ kind: "claims.not-found" });
  if (!isOpen(claim)) return refuse({ kind: "claims.closed" });
  const now = app.clock.now();
  const entry = { claimId: claim.id, author: as, authorId: asked.personId } as const;
  await addEntry(tx, { ...entry, step: "withdrawn", words: null }, now);
  await closeClaim(tx, { id: claim.id, as: "withdrawn", now });
  const tellings = toSeller(app, claim, texts.withdrawn(claim));
  await announce(tx, claim, { tellings, now });
  return ok(null);
}
