export { finishOnboarding } from "./onboarding.store.ts";
