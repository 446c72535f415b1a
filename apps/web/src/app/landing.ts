/** What the landing depends on: `deja` and `plan` of the user (A §3). */
export type OnboardingState = { readonly deja: boolean; readonly plan: boolean };

export type Landing = {
  /** Where to go; null: stay. */
  readonly path: "/IndexEspace" | "/stories" | "/Plans" | null;
  /** `deja` must be corrected to true by a user update. */
  readonly finishOnboarding: boolean;
};

const STAY: Landing = { path: null, finishOnboarding: false };
const DOORS = ["/", "/plans", "/stories"];

/** A §2 "Redirect on first load": for the seller area, on its first landing only (decision 15). */
export function landingOf(user: OnboardingState, path: string): Landing {
  const here = path.toLowerCase();
  if (user.plan) {
    if (!DOORS.includes(here)) return STAY;
    return { path: "/IndexEspace", finishOnboarding: !user.deja };
  }
  if (!user.deja) return here === "/stories" ? STAY : { ...STAY, path: "/stories" };
  return here === "/plans" ? STAY : { ...STAY, path: "/Plans" };
}
