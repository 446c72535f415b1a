/** How long a banner stays over what is open on a phone. */
export const BANNER_MS = 3_500;
export const MONEY_BANNER_MS = 6_000;
