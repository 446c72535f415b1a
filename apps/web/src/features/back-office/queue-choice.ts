import type { DeskQueueQuery } from "@sesame/contract/treasury";
import { createStore } from "../../lib/store.ts";

/** The queue's tabs: four of the lists the server knows. */
export type QueueTab = "pending" | "to-pay" | "uncertain" | "done";

export type QueueChoice = {
  readonly tab: QueueTab;
  readonly q: string;
  readonly method: string;
  readonly country: string;
  readonly plan: "" | "gratuit" | "payant";
  readonly late: boolean;
  readonly mine: boolean;
};

export const EVERYTHING: Omit<QueueChoice, "tab" | "q"> = {
  method: "",
  country: "",
  plan: "",
  late: false,
  mine: false,
};

// Kept beside the screen: who opens a request and comes back finds the list as he left it.
const choice = createStore<QueueChoice>({ tab: "pending", q: "", ...EVERYTHING });

export function chooseQueue(part: Partial<QueueChoice>): void {
  choice.set({ ...choice.get(), ...part });
}

export const useQueueChoice = choice.useValue;

export function filterOf(chosen: QueueChoice): Omit<DeskQueueQuery, "cursor" | "limit"> {
  return {
    status: chosen.tab,
    ...(chosen.method ? { method: chosen.method } : {}),
    ...(chosen.country ? { country: chosen.country } : {}),
    ...(chosen.plan ? { plan: chosen.plan } : {}),
    ...(chosen.late ? { late: "1" } : {}),
    ...(chosen.mine ? { mine: "1" } : {}),
    ...(chosen.q.trim() ? { q: chosen.q.trim() } : {}),
  };
}

export function countFilters({ method, country, plan, late, mine }: QueueChoice): number {
  return [method, country, plan, late, mine].filter(Boolean).length;
}
