import { type Environment, readRoot } from "./config-values.ts";
import { FEDAPAY_WIDGET, KKIAPAY_WIDGET, readWidgetUrl } from "./config-providers.ts";

/**
 * Where each provider is reached by sellers' own keys, whether or not the instance has an account
 * there: the same settings, and the same defaults, as its own.
 */
export type ProviderRoots = {
  readonly moneroo: string;
  /** Their two worlds have each its host, and the key says which one it opens. */
  readonly fedapay: { readonly live: string; readonly sandbox: string; readonly widgetUrl: string };
  readonly kkiapay: { readonly apiRoot: string; readonly widgetUrl: string };
  readonly paydunya: string;
  readonly cryptopay: string;
};

export function readProviderRoots(env: Environment): ProviderRoots {
  return {
    moneroo: readRoot(env, "MONEROO_API_ROOT", "https://api.moneroo.io"),
    fedapay: {
      live: readRoot(env, "FEDAPAY_API_ROOT", "https://api.fedapay.com"),
      sandbox: readRoot(env, "FEDAPAY_API_ROOT", "https://sandbox-api.fedapay.com"),
      widgetUrl: readWidgetUrl(env, "FEDAPAY_WIDGET_URL", FEDAPAY_WIDGET),
    },
    kkiapay: {
      apiRoot: readRoot(env, "KKIAPAY_API_ROOT", "https://api.kkiapay.me"),
      widgetUrl: readWidgetUrl(env, "KKIAPAY_WIDGET_URL", KKIAPAY_WIDGET),
    },
    paydunya: readRoot(env, "PAYDUNYA_API_ROOT", "https://app.paydunya.com"),
    cryptopay: readRoot(env, "CRYPTOPAY_API_ROOT", "https://pay.crypt.bot"),
  };
}
