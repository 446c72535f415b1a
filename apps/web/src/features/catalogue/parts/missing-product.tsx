import { useLocation } from "wouter";
import { Button } from "../../../kit/button.tsx";
import { EmptyState } from "../../../kit/empty-state.tsx";
import { Page } from "../../../kit/page.tsx";
import { catalogueCopy } from "../messages.fr.ts";

const copy = catalogueCopy.card;

export function MissingProduct() {
  const [, navigate] = useLocation();
  return (
    <Page title={catalogueCopy.list.title}>
      <EmptyState
        drawing="search"
        title={copy.missing}
        text={copy.missingText}
        action={<Button onClick={() => navigate("/ProductsList")}>{copy.back}</Button>}
      />
    </Page>
  );
}
