import type { OfferAnswers, OfferAnswersBody } from "@sesame/contract/catalogue";
import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";

const NONE: OfferAnswers = { name: null, goal: null, motivation: null };

/** What a seller told the assistant; nothing before he told anything. */
export async function readOfferAnswers(db: Db, sellerId: bigint): Promise<OfferAnswers> {
  const { rows } = await sql<OfferAnswers>`
    SELECT name, goal, motivation FROM offer_answers WHERE seller_id = ${sellerId}
  `.execute(db);
  return rows[0] ?? NONE;
}

/** Keeps what is given; what is not stays. The same twice changes nothing. */
export async function keepOfferAnswers(
  db: Db,
  told: { sellerId: bigint; answers: OfferAnswersBody; now: Date },
): Promise<OfferAnswers> {
  const { answers, sellerId, now } = told;
  const given = (key: keyof OfferAnswers) => answers[key] !== undefined;
  const { rows } = await sql<OfferAnswers>`
    INSERT INTO offer_answers AS kept (seller_id, name, goal, motivation, updated_at)
    VALUES (${sellerId}, ${answers.name ?? null}, ${answers.goal ?? null},
      ${answers.motivation ?? null}, ${now})
    ON CONFLICT (seller_id) DO UPDATE SET
      name = CASE WHEN ${given("name")} THEN excluded.name ELSE kept.name END,
      goal = CASE WHEN ${given("goal")} THEN excluded.goal ELSE kept.goal END,
      motivation = CASE WHEN ${given("motivation")} THEN excluded.motivation
        ELSE kept.motivation END,
      updated_at = excluded.updated_at
    RETURNING name, goal, motivation
  `.execute(db);
  return rows[0] ?? NONE;
}
