import { relations } from "drizzle-orm";
import { bigint, boolean, integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";

// The tables a seller's start is read from, every column of each, as an object mapper is told them.

const id = () => bigint({ mode: "number" }).primaryKey();
const number = () => bigint({ mode: "number" });
const instant = () => timestamp({ withTimezone: true, precision: 6 });

export const people = pgTable("people", {
  id: id(),
  telegram_id: number().notNull(),
  first_name: text().notNull(),
  last_name: text(),
  username: text(),
  language_code: text(),
  photo_url: text(),
  created_at: instant().notNull(),
  seen_at: instant().notNull(),
  logged_out_at: instant(),
});

export const accounts = pgTable("ledger_accounts", {
  id: id(),
  key: text().notNull(),
  guarded: boolean().notNull(),
  posted: number().notNull(),
  held: number().notNull(),
  created_at: instant().notNull(),
});

export const sellers = pgTable("sellers", {
  id: id(),
  plan: text(),
  premium_until: instant(),
  onboarded: boolean().notNull(),
  free_account_id: number().notNull(),
  premium_account_id: number().notNull(),
  display_name: text(),
  country: text(),
  whatsapp_number: text(),
  created_at: instant().notNull(),
  updated_at: instant().notNull(),
  suspended_at: instant(),
  suspended_reason: text(),
  suspended_review_at: instant(),
  closed_at: instant(),
  plan_changes: integer().notNull(),
  premium_since: instant(),
  premium_set_at: instant(),
});

export const groups = pgTable("groups", {
  id: id(),
  chat_id: number().notNull(),
  kind: text().notNull(),
  title: text().notNull(),
  public_username: text(),
  seller_id: number().notNull(),
  bot_present: boolean().notNull(),
  can_manage: boolean().notNull(),
  can_invite: boolean().notNull(),
  can_restrict: boolean().notNull(),
  member_count: integer(),
  quota_rank: integer(),
  linked_at: instant().notNull(),
  checked_at: instant().notNull(),
  last_event: text(),
  last_event_at: instant(),
  told_state: text(),
});

export const images = pgTable("images", {
  id: text().primaryKey(),
  seller_id: number().notNull(),
  width: integer().notNull(),
  height: integer().notNull(),
  created_at: instant().notNull(),
});

export const products = pgTable("products", {
  id: id(),
  seller_id: number().notNull(),
  group_id: number(),
  reference: text().notNull(),
  title: text().notNull(),
  price: number().notNull(),
  description: text().notNull(),
  duration_minutes: integer().notNull(),
  category: text().notNull(),
  stock: integer(),
  image_id: text(),
  switched_on: boolean().notNull(),
  archived_at: instant(),
  views: integer().notNull(),
  created_at: instant().notNull(),
  updated_at: instant().notNull(),
  suspended_at: instant(),
  suspended_reason: text(),
  suspended_review_at: instant(),
  kind: text().notNull(),
  suggestions: number().array().notNull(),
});

export const orders = pgTable("orders", {
  id: id(),
  kind: text().notNull(),
  buyer_id: number().notNull(),
  seller_id: number().notNull(),
  product_id: number().notNull(),
  group_id: number(),
  status: text().notNull(),
  currency: text().notNull(),
  price: number().notNull(),
  fee: number().notNull(),
  duration_minutes: integer().notNull(),
  title: text().notNull(),
  provider: text().notNull(),
  idempotency_key: text(),
  stock_reserved_until: instant(),
  created_at: instant().notNull(),
  paid_at: instant(),
  settled_at: instant(),
  is_renewal: boolean().notNull(),
  access_until: instant(),
  direct: boolean().notNull(),
  payments_opened: integer().notNull(),
  opening_until: instant(),
});

export const withdrawals = pgTable("withdrawals", {
  id: id(),
  seller_id: number().notNull(),
  account_id: number().notNull(),
  plan: text().notNull(),
  amount: number().notNull(),
  method: text().notNull(),
  operator: text().notNull(),
  country: text().notNull(),
  phone: text().notNull(),
  whatsapp: text().notNull(),
  reference: text().notNull(),
  origin: text().notNull(),
  status: text().notNull(),
  created_at: instant().notNull(),
  due_at: instant().notNull(),
  decided_at: instant(),
  reject_code: text(),
  reject_reason: text(),
  paid_at: instant(),
});

export const sellerRelations = relations(sellers, ({ one }) => ({
  person: one(people, { fields: [sellers.id], references: [people.id] }),
  free: one(accounts, { fields: [sellers.free_account_id], references: [accounts.id] }),
  premium: one(accounts, { fields: [sellers.premium_account_id], references: [accounts.id] }),
}));

export const groupRelations = relations(groups, ({ many }) => ({ products: many(products) }));

export const productRelations = relations(products, ({ one }) => ({
  group: one(groups, { fields: [products.group_id], references: [groups.id] }),
  image: one(images, { fields: [products.image_id], references: [images.id] }),
}));

export const orderRelations = relations(orders, ({ one }) => ({
  buyer: one(people, { fields: [orders.buyer_id], references: [people.id] }),
}));
