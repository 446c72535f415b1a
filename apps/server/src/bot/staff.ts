import { type Db, many } from "../postgres/database.ts";

export type StaffPerson = { readonly id: bigint; readonly telegram_id: bigint };

/** Those of these agents and operators who have opened the sellers' bot and may be written to. */
export async function listStaffInTouch(
  db: Db,
  telegramIds: Iterable<bigint>,
): Promise<StaffPerson[]> {
  return many<StaffPerson>(db)`
    SELECT p.id, p.telegram_id FROM people p
    JOIN bot_chats c ON c.person_id = p.id AND c.bot = 'seller' AND c.reachable
    WHERE p.telegram_id = ANY(${[...telegramIds]}::bigint[]) ORDER BY p.id
  `;
}
