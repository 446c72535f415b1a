import { type FunctionComponent, lazy, type ReactNode } from "react";

type PropsOf<C> = C extends (props: infer P) => ReactNode ? P : never;

/** A component whose file is loaded when it is first shown; `name`: its name in the file. */
export function later<F, K extends keyof F>(load: () => Promise<F>, name: K) {
  return lazy(async () => ({
    default: (await load())[name] as FunctionComponent<PropsOf<F[K]>>,
  }));
}
