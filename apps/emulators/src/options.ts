import type { AdjustableClock, Random } from "@sesame/kernel";
import type { PhonePorts } from "./phones.ts";

export type EmulatorOptions = {
  /** 0: a free one is found. */
  port: number;
  /** 127.0.0.1 when absent. */
  host?: string;
  /** Where this machine reaches the app. */
  appUrl: string;
  /** Where people reach the app; `appUrl` when absent. The emulators are shown under the same host. */
  publicUrl?: string;
  /** A port for each phone's own origin (0: any); without them the phones open `appUrl` itself. */
  phonePorts?: PhonePorts;
  /** When absent, a running clock of its own. */
  clock?: AdjustableClock;
  random?: Random;
  /** File of the state between two starts; without it the state is lost. */
  statePath?: string;
  sellerBotToken: string;
  buyerBotToken: string;
  monerooSecretKey: string;
  monerooWebhookSecret: string;
  /** The app's account at PayDunya; without it every call there is refused. */
  paydunya?: PaydunyaKeys;
  /** The app's account at FedaPay; without it every call there is refused. */
  fedapay?: FedapayKeys;
  /** The app's account at KkiaPay; without it every call there is refused. */
  kkiapay?: KkiapayKeys;
  /** The app's account at Crypto Pay; without it every call there is refused. */
  cryptopay?: CryptopayKeys;
  /** Short name of the direct-link mini app, if any. */
  buyerAppName?: string;
  /** See `EmulatedTelegramSettings`; by default as the app's address is http. */
  allowLocalAddresses?: boolean;
  /** Whether Moneroo also announces `payment.initiated`; yes when absent. */
  announceInitiated?: boolean;
};

export type PaydunyaKeys = { masterKey: string; privateKey: string; token: string };

export type FedapayKeys = { secretKey: string; publicKey: string; webhookSecret: string };

export type KkiapayKeys = {
  publicKey: string;
  privateKey: string;
  secretKey: string;
  webhookSecret: string;
};

export type CryptopayKeys = { token: string };

/** Addresses that a test may learn only after the emulators have started. */
export type AppAddresses = { appUrl: string; publicUrl?: string };
