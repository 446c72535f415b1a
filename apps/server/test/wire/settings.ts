import { type Environment, readConfig } from "../../src/config.ts";

export const KEY = Buffer.from(Array.from({ length: 32 }, (_, index) => index * 7)).toString(
  "base64",
);

export const collectKeys = (): Record<string, string> => ({
  KKIAPAY_PUBLIC_KEY: "public-key-of-kkiapay",
  KKIAPAY_PRIVATE_KEY: "a-good-private-key-of-kkiapay",
  KKIAPAY_SECRET_KEY: "a-good-secret-key-of-kkiapay",
  KKIAPAY_WEBHOOK_SECRET: "a-good-webhook-secret-of-kkiapay",
  CRYPTOPAY_TOKEN: "12345:a-good-token-of-cryptopay",
  STARS_ENABLED: "1",
});

export const payoutKeys = (): Record<string, string> => ({
  PAYDUNYA_MASTER_KEY: "a-good-master-key-of-paydunya",
  PAYDUNYA_PRIVATE_KEY: "live_private_a-good-one",
  PAYDUNYA_TOKEN: "a-good-token-of-paydunya",
  FEDAPAY_SECRET_KEY: "sk_live_a-good-secret-key",
  FEDAPAY_WEBHOOK_SECRET: "wh_live_a-good-secret",
});

/** Why the server would not start with it. */
export const refusalOf = (env: Environment): string => {
  try {
    readConfig(env);
  } catch (error) {
    return String(error);
  }
  return "it starts";
};

/** Secrets of the strength that production asks for, made up for the tests. */
export const goodBotTokens = (): Record<string, string> => ({
  SELLER_BOT_TOKEN: "6100000001:AAqWeRtYuIoPaSdFgHjKlZxCvBnM1234567",
  BUYER_BOT_TOKEN: "6200000002:AAmNbVcXzLkJhGfDsApOiUyTrEwQ7654321",
});
