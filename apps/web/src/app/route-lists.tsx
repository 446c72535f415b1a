import { type ComponentType, useEffect } from "react";
import { Route, useLocation } from "wouter";
import { decodePart } from "../lib/text.ts";
import { Stack } from "../kit/layout.tsx";
import { toast } from "../kit/toast.tsx";

/** Addresses and their screens. Called, not rendered: `Switch` reads the routes themselves. */
export function screens(list: readonly (readonly [path: string, screen: ComponentType])[]) {
  return list.map(([path, screen]) => <Route key={path} path={path} component={screen} />);
}

type OfOneThing = readonly [path: string, screen: ComponentType<{ id: string }>];

/** The same for one thing, named by `:id`; for another id, the screen is mounted anew. */
export function screensOfOneThing(list: readonly OfOneThing[]) {
  return list.map(([path, Screen]) => (
    <Route<{ id: string }> key={path} path={path}>
      {({ id }) => <Screen key={id} id={decodePart(id)} />}
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
