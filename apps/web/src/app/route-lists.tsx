import { type ComponentType, useEffect } from "react";
import { Route, useLocation } from "wouter";
import { decodePart } from "../lib/text.ts";
import { Stack } from "../kit/layout.tsx";
import { toast } from "../kit/toast.tsx";

type Addressed = readonly [path: string, screen: ComponentType<{ id: string }>];

/**
 * Addresses and their screens; for another `:id`, the screen is mounted anew. Called, not rendered: `Switch`
 * reads the routes themselves.
 */
export function screens(list: readonly Addressed[]) {
  return list.map(([path, Screen]) => (
    <Route<{ id?: string }> key={path} path={path}>
      {({ id = "" }) => <Screen key={id} id={decodePart(id)} />}
    </Route>
  ));
}

/** An unknown address: leads home, with a toast. */
export function Unknown({ home, words }: { home: string; words: string }) {
  const [, navigate] = useLocation();
  useEffect(() => {
    toast(words, "bad");
    navigate(home, { replace: true });
  }, [home, words, navigate]);
  return <Stack gap={5} page />;
}
