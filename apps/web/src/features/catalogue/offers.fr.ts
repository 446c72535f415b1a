import type { OfferAnswers, OfferGoal } from "@sesame/contract/catalogue";

/** Texts and figures that fill a form; the seller may change all of them before publishing. */
export type Offer = {
  readonly title: string;
  /** Whole francs: a suggestion. */
  readonly price: string;
  readonly minutes: number;
  readonly description: string;
  readonly category: string;
};

const WEEK = 10_080;
const MONTH = 43_200;
const QUARTER = 129_600;

export type TemplateId = "vip" | "pro" | "premium";

/** Decision 44: the three sample offers. */
export const TEMPLATES: Readonly<Record<TemplateId, Offer & { readonly name: string }>> = {
  vip: {
    name: "VIP mensuel",
    title: "Accès VIP mensuel",
    price: "5000",
    minutes: MONTH,
    description:
      "Un mois d'accès au groupe privé : les contenus réservés aux membres, les annonces avant tout le monde et des réponses à vos questions.",
    category: "other",
  },
  pro: {
    name: "Pro hebdomadaire",
    title: "Communauté Pro hebdomadaire",
    price: "1500",
    minutes: WEEK,
    description:
      "Une semaine dans la communauté Pro : des conseils chaque jour, des échanges entre membres et un suivi de vos progrès.",
    category: "service",
  },
  premium: {
    name: "Premium trimestriel",
    title: "Premium Plus trimestriel",
    price: "12000",
    minutes: QUARTER,
    description:
      "Trois mois d'accès complet : tous les contenus, les séances réservées aux membres et un prix plus doux que mois par mois.",
    category: "other",
  },
};

type GoalOffer = Pick<Offer, "description" | "category">;

const BY_GOAL: Readonly<Record<OfferGoal, GoalOffer>> = {
  community: {
    description:
      "L'accès à une communauté privée : des échanges chaque jour, de l'entraide et des rendez-vous entre membres.",
    category: "other",
  },
  training: {
    description:
      "L'accès à la formation : les leçons, les exercices et les réponses à vos questions, à votre rythme.",
    category: "formation",
  },
  service: {
    description:
      "Un accompagnement en petit groupe : vos questions, mes réponses, et un suivi pendant toute la durée.",
    category: "service",
  },
  support: {
    description:
      "Soutenez mon travail et retrouvez dans ce groupe les coulisses et les contenus réservés.",
    category: "other",
  },
};

const EVERY_DESCRIPTION = [...Object.values(TEMPLATES), ...Object.values(BY_GOAL)].map(
  ({ description }) => description,
);
const EVERY_TITLE = Object.values(TEMPLATES).map(({ title }) => title);
const EVERY_PRICE = Object.values(TEMPLATES).map(({ price }) => price);

/**
 * The offer for the answers given to Soni; null while one is missing. A higher motivation gives a longer
 * duration.
 */
export function offerOf({ name, goal, motivation }: OfferAnswers): Offer | null {
  if (name === null || goal === null || motivation === null) return null;
  const { vip, pro, premium } = TEMPLATES;
  const { price, minutes } = motivation <= 2 ? pro : motivation <= 4 ? vip : premium;
  return { title: name, price, minutes, ...BY_GOAL[goal] };
}

/** Whether a field is empty or still holds a suggestion: the seller has not typed in it. */
export const isSuggested = {
  title: (text: string) => text.trim() === "" || EVERY_TITLE.includes(text),
  price: (text: string) => text.trim() === "" || EVERY_PRICE.includes(text),
  description: (text: string) => text.trim() === "" || EVERY_DESCRIPTION.includes(text),
};
