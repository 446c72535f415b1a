import { z } from "zod";
import { OFFER_GOALS, TITLE_MAX } from "./policy.ts";

// The assistant of /soni (decisions 75, 97): three questions, then a pre-filled product.

/** Each null until it was answered. */
export const offerAnswers = z.object({
  name: z.string().trim().min(1).max(TITLE_MAX).nullable(),
  goal: z.enum(OFFER_GOALS).nullable(),
  motivation: z.int().min(1).max(5).nullable(),
});
export type OfferAnswers = z.input<typeof offerAnswers>;

/** What is absent stays as it was; null takes an answer back. */
export const offerAnswersBody = offerAnswers.partial();
export type OfferAnswersBody = z.input<typeof offerAnswersBody>;

export const offerAnswersAnswer = z.object({
  success: z.literal(true),
  answers: offerAnswers,
});
export type OfferAnswersAnswer = z.input<typeof offerAnswersAnswer>;
