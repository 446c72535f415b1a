import { useLocation } from "wouter";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Page } from "../../../ui/page.tsx";
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
