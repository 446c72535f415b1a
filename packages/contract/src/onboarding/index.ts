export { type Landing, landingOf, type OnboardingState } from "./policy.ts";
