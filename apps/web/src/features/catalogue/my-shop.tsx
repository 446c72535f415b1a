import type { AnswerOf } from "@sesame/contract/routes";
import { useQuery } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { openLink, shareByTelegram } from "../../telegram/native.ts";
import { read } from "../../lib/read.ts";
import { useUser } from "../../lib/use-seller.ts";
import { Button } from "../../kit/button.tsx";
import { Banner } from "../../kit/banner.tsx";
import { EmptyState } from "../../kit/empty-state.tsx";
import { NotYet } from "../../kit/not-yet.tsx";
import { Page } from "../../kit/page.tsx";
import { catalogueCopy, shopCopy as copy } from "./messages.fr.ts";
import { LinkBox } from "./products.tsx";

/** The seller's public shop (decision 43): its two links, and what stands there. */
export function MyShop() {
  const shop = useQuery(read("GET /api/shop"));
  return (
    <Page title={copy.title} subtitle={copy.subtitle}>
      {shop.data ? (
        <Links shop={shop.data} />
      ) : (
        <NotYet query={shop} copy={{ ...copy, retry: catalogueCopy.retry }} />
      )}
    </Page>
  );
}

function Links({ shop }: { shop: AnswerOf<"GET /api/shop"> }) {
  const [, navigate] = useLocation();
  const name = useUser()?.nom ?? "";
  if (!shop.open) {
    return (
      <Banner tone="warning" icon="warning">
        {copy.closed}
      </Banner>
    );
  }
  if (shop.products === 0) {
    return (
      <EmptyState
        drawing="product"
        title={copy.empty}
        text={copy.emptyText}
        action={<Button onClick={() => navigate("/ProductsList")}>{copy.toProducts}</Button>}
      />
    );
  }
  return (
    <>
      <LinkBox
        title={copy.everywhere}
        text={copy.everywhereText(shop.products)}
        label={copy.everywhereLink}
        link={shop.page_url}
        beside={
          <Button icon="eye" onClick={() => openLink(shop.page_url)}>
            {copy.see}
          </Button>
        }
      />
      <LinkBox
        title={copy.inTelegram}
        text={copy.inTelegramText}
        label={copy.inTelegramLink}
        link={shop.share_link}
        beside={
          <Button icon="send" onClick={() => shareByTelegram(shop.share_link, copy.message(name))}>
            {catalogueCopy.card.byTelegram}
          </Button>
        }
      />
    </>
  );
}
