import type { ProductOnWire } from "@sesame/contract/catalogue";
import type { CatalogueRefusal } from "@sesame/contract/catalogue";
import type { Capability, PlansRefusal } from "@sesame/contract/plans";
import type { StatisticsAnswer, StatisticsPeriod } from "@sesame/contract/reports";
import type { Chance, Clock, Result } from "@sesame/kernel";
import type { AppButton } from "../../bot/app-button.ts";
import type { Resolve } from "../../outgoing/post.ts";
import type { Db } from "../../postgres/database.ts";
import type { Vault } from "../../secrets/vault.ts";

export type Shelf = {
  /** Newest first, older than `before`. */
  productsPage(
    sellerId: bigint,
    page: { readonly before: bigint | null; readonly limit: number },
  ): Promise<ProductOnWire[]>;
  productOf(sellerId: bigint, productId: bigint): Promise<Result<ProductOnWire, CatalogueRefusal>>;
  edit(request: {
    sellerId: bigint;
    productId: bigint;
    form: { fields: { status?: string | undefined }; image: null };
  }): Promise<Result<ProductOnWire, CatalogueRefusal>>;
};

export type Figures = {
  statisticsOf(sellerId: bigint, period: StatisticsPeriod): Promise<StatisticsAnswer>;
};

export type DevelopersDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly vault: Vault;
  readonly appButton: AppButton;
  readonly shelf: Shelf;
  readonly reports: Figures;
  readonly resolve: Resolve;
  /** The demo's emulated world may be an endpoint. */
  readonly loopback: boolean;
  refuseCapability(db: Db, sellerId: bigint, capability: Capability): Promise<PlansRefusal | null>;
};
