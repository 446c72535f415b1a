import { KNOWN_PROVIDERS, type KnownProvider, PROVIDERS } from "../checkout/providers.fr.ts";
import { PAYOUT_METHODS, type PayoutMethodId } from "../withdrawals/methods.fr.ts";
import type { SettingsRefusal } from "./refusals.fr.ts";

// What an operator may change without a new release. Each row gives the setting's type, default,
// place on the wire, check and refusal, form field and words in the history.

/** In the instance's time zone. */
export type WorkingHours = {
  /** 1 Monday … 7 Sunday, in order. */
  readonly days: readonly number[];
  /** Whole hours, the end not included: 9 and 17 are 9:00 to 16:59. */
  readonly from_hour: number;
  readonly to_hour: number;
};

/** Each kind's type on the wire and in the database. */
export type KindOnWire = {
  francs: number;
  /** In ten-thousandths: 1800 is 18 %. */
  percent: number;
  times: number;
  days: number;
  /** Calls a minute. */
  calls: number;
  /** Whole francs for one Star. */
  star: number;
  /** Null: the configuration's value. */
  text: string | null;
  switch: boolean;
  hours: WorkingHours;
  // The label of a duration.
  words: string;
  minutes: number;
  /** In whole percent. */
  discount: number;
  /** A key of the field's choices. */
  tier: string;
};
export type Kind = keyof KindOnWire;

type Shown = {
  readonly label: string;
  /** The name in the history, if it differs from the setting's label or the part's key. */
  readonly said?: string;
};

/** A setting of one value. */
export type Field = Shown & {
  readonly kind: Kind;
  /** The hint below the field; absent: the hint is the default value. */
  readonly hint?: string;
  /** The labels of a switch when on and when off. */
  readonly words?: readonly [string, string];
  readonly choices?: Readonly<Record<string, string>>;
  /** How one line about the whole form writes the value; null: the line leaves it out. */
  readonly brief?: (said: string, value: never) => string | null;
  readonly initial: KindOnWire[Kind];
  /** The maximum length of a text, in characters. */
  readonly length?: number;
  /** The minimum and the maximum of a number. */
  readonly bounds?: readonly [number, number];
  readonly sound?: (value: never) => boolean;
  readonly refusal?: SettingsRefusal;
};

/** Values that share one history. */
type Group = Shown & {
  readonly parts: Readonly<Record<string, Field | Omit<Group, "partial" | "refuse">>>;
  /** Each part has a form of its own. */
  readonly apart?: true;
  /** A change may name some parts only: an absent part stays as it is. */
  readonly partial?: true;
  /** Rules between the parts. */
  readonly refuse?: (value: never) => SettingsRefusal | null;
};

export type Row = Field | Group;

/** The sections of the back office's screen, in its order. */
export const SETTING_SECTIONS = {
  fees: "Frais des ventes",
  premium: "Plan Premium",
  stars: "Telegram Stars",
  withdrawals: "Limites des retraits",
  checks: "Contrôles du bureau",
  rates: "Appels aux prestataires",
  costs: "Frais retenus",
  texts: "Contacts affichés",
  hours: "Horaires",
  methods: "Modes de paiement",
} as const;
type Section = keyof typeof SETTING_SECTIONS;

export type Setting = Row & { readonly section: Section };

const FEE = within("percent", 0, 5_000, { kind: "settings.fee-out-of-range" });
const LIMIT = within("francs", 1, 10_000_000, { kind: "settings.limit-out-of-range" });
const THRESHOLD = within("francs", 1, 10_000_000, { kind: "settings.amount-out-of-range" });
const HOURS = {
  kind: "hours",
  sound: areHours,
  refusal: { kind: "settings.hours-invalid" },
} as const;
const PREMIUM_REFUSAL = { kind: "settings.premium-out-of-range" } as const;

/** In the order of the checks and of the wire. */
export const SETTINGS = {
  /** The platform's share of each new order, by the seller's plan. */
  fee_rates: {
    ...ofSection("fees"),
    parts: {
      free: {
        ...FEE,
        initial: 1_800,
        hint: "S'applique aux commandes à venir ; celles déjà faites gardent leurs frais.",
        label: "Frais, plan gratuit",
        said: "plan gratuit",
      },
      premium: { ...FEE, initial: 0, label: "Frais, plan premium", said: "plan premium" },
    },
  },
  /** The smallest and the largest withdrawal of each plan (B §9). */
  withdrawals: {
    ...ofSection("withdrawals"),
    parts: {
      min: { ...LIMIT, initial: 100, label: "Minimum d'un retrait", said: "minimum" },
      max_free: {
        ...LIMIT,
        initial: 50_000,
        label: "Maximum, plan gratuit",
        said: "maximum gratuit",
      },
      max_premium: {
        ...LIMIT,
        initial: 500_000,
        label: "Maximum, plan premium",
        said: "maximum premium",
      },
    },
    refuse: (limits: { min: number; max_free: number; max_premium: number }) =>
      limits.min > Math.min(limits.max_free, limits.max_premium)
        ? { kind: "settings.limits-crossed" }
        : null,
  },
  /** What a mobile money operator accepts (decision 66). */
  methods: { ...ofSection("methods"), apart: true, partial: true, parts: byMethod() },
  hours: {
    ...ofSection("hours"),
    apart: true,
    parts: {
      payouts: {
        ...HOURS,
        initial: { days: [1, 2, 3, 4, 5], from_hour: 9, to_hour: 17 },
        label: "Traitement des retraits",
        said: "retraits",
      },
      support: {
        ...HOURS,
        initial: { days: [1, 2, 3, 4, 5], from_hour: 9, to_hour: 18 },
        label: "Support",
        said: "support",
      },
    },
  },
  /** From this amount on, two agents approve a withdrawal. */
  second_agent_from: {
    ...THRESHOLD,
    initial: 100_000,
    label: "Deux agents à partir de",
    section: "checks",
  },
  /** The maximum of all open requests of a seller before the first successful payout. */
  first_payout_max: {
    ...THRESHOLD,
    initial: 200_000,
    label: "Premiers retraits, maximum en tout",
    section: "withdrawals",
  },
  /** From this amount on, two agents approve a request before the first successful payout. */
  first_payout_second_agent_from: {
    ...THRESHOLD,
    initial: 50_000,
    label: "Premier retrait, deux agents à partir de",
    section: "checks",
  },
  /** A request of this many times the seller's usual amount is a risk sign. */
  unusual_factor: {
    ...within("times", 1.5, 100, { kind: "settings.factor-out-of-range" }),
    initial: 3,
    label: "Montant inhabituel à partir de",
    said: "Montant inhabituel",
    section: "checks",
  },
  /** Price and period of the premium plan; a plan already bought keeps the values of its purchase. */
  premium: {
    ...ofSection("premium"),
    // The bounds of a product's price: providers accept no less, and no longer subscription period.
    parts: {
      price: {
        ...within("francs", 100, 1_000_000, PREMIUM_REFUSAL),
        initial: 5_000,
        hint: "S'applique aux achats à venir ; ceux déjà faits gardent leur prix et leur durée.",
        label: "Prix",
        said: "prix",
      },
      period_days: {
        ...within("days", 1, 366, PREMIUM_REFUSAL),
        initial: 30,
        label: "Durée",
        said: "durée en jours",
      },
    },
  },
  /** The value of a Star: a price in Stars is rounded up. */
  francs_per_star: {
    ...within("star", 1, 1_000, { kind: "settings.star-out-of-range" }),
    initial: 8,
    label: "Valeur d'une étoile",
    section: "stars",
    hint: "Un prix en Stars est arrondi à l'étoile supérieure.",
  },
  /** Only Stars are offered and accepted for a new payment (Telegram's rule). */
  stars_only: {
    kind: "switch",
    initial: false,
    label: "Stars seulement",
    section: "stars",
    hint: "Règle de Telegram pour les biens numériques : activé, seul Telegram Stars est proposé et accepté pour un nouveau paiement. Les paiements déjà ouverts vont à leur terme.",
  },
  /** Calls a minute that each provider allows to an account. */
  provider_rates: {
    ...ofSection("rates"),
    partial: true,
    parts: byProvider(
      "Appels par minute que le prestataire permet à un compte. La moitié au plus ouvre des paiements, le reste les vérifie.",
      (provider) => ({
        // With fewer calls a minute FedaPay could open no payment: an opening takes two of half of them.
        ...within("calls", 10, 100_000, { kind: "settings.rate-out-of-range" }),
        initial: PROVIDERS[provider].callsAMinute,
      }),
    ),
  },
  /** The fee each provider keeps of what it collects, used where its answers do not name it. */
  collection_costs: {
    ...ofSection("costs"),
    partial: true,
    parts: byProvider(
      "Ce que chaque prestataire garde de ce qu'il encaisse, là où il ne le dit pas lui-même. Compté comme un coût de la plateforme.",
      () => ({ ...FEE, initial: 0 }),
    ),
  },
  /** Null: the configuration's value. */
  texts: {
    ...ofSection("texts"),
    parts: {
      community_url: {
        ...textWithin(300, /^https:\/\/[^\s"<>\\]+$/, { kind: "settings.community-invalid" }),
        label: "Adresse de la communauté",
        said: "communauté",
      },
      support_whatsapp: {
        ...textWithin(40, /^\+\d{8,15}$/, { kind: "settings.whatsapp-invalid" }),
        label: "WhatsApp du support",
        said: "WhatsApp",
      },
      support_telegram: {
        ...textWithin(64, /^@?[A-Za-z][A-Za-z0-9_]{3,31}$/, { kind: "settings.telegram-invalid" }),
        label: "Telegram du support",
        said: "Telegram",
      },
    },
  },
} as const satisfies Readonly<Record<string, Setting>>;

/** The fields of a duration that an operator sets, in the order of the checks. */
export const DURATION = {
  label: "Durées proposées",
  parts: {
    active: {
      kind: "switch",
      initial: true,
      label: "Proposée",
      said: "proposée",
      words: ["Proposée", "Retirée"],
      hint: "Retirée : les produits qui l'ont la gardent, elle ne se choisit plus.",
    },
    /** Never changed afterwards: products copy these minutes. */
    minutes: {
      ...within("minutes", 60, 10 * 366 * 24 * 60, { kind: "settings.duration-minutes" }),
      initial: 0,
      label: "Durée",
    },
    label: { ...wordsWithin(1, 40), label: "Nom affiché", said: "nom" },
    description: { ...wordsWithin(0, 120), label: "Description" },
    /** A recommendation to the seller. */
    discount: {
      ...within("discount", 0, 100, { kind: "settings.duration-discount" }),
      initial: 0,
      label: "Remise conseillée",
      said: "remise",
    },
    price_tier: {
      kind: "tier",
      choices: { premium: "Premium", standard: "Standard", basic: "Essentiel" },
      initial: "standard",
      label: "Gamme",
      said: "gamme",
    },
  },
} as const satisfies Row;

function wordsWithin(min: number, max: number) {
  return {
    kind: "words",
    initial: "",
    sound: (words: unknown) =>
      typeof words === "string" && words.length >= min && words.length <= max,
    refusal: { kind: "settings.duration-name" },
  } as const;
}

function within<const K extends Kind>(kind: K, min: number, max: number, refusal: SettingsRefusal) {
  return { kind, bounds: [min, max], refusal } as const;
}

/** A setting that fills a section alone. */
function ofSection<const S extends Section>(section: S) {
  return { section, label: SETTING_SECTIONS[section] };
}

function areHours({ days, from_hour: from, to_hour: to }: WorkingHours): boolean {
  return (
    days.length > 0 &&
    days.every((day, index) => day >= 1 && day <= 7 && day > (days[index - 1] ?? 0)) &&
    from >= 0 &&
    from < to &&
    to <= 24
  );
}

/** Null, or a text of this form; an address must have a valid host too. */
function textWithin(length: number, form: RegExp, refusal: SettingsRefusal) {
  const sound = (text: string | null) =>
    text === null || (form.test(text) && (!text.startsWith("https:") || URL.canParse(text)));
  return { kind: "text", length, initial: null, sound, refusal } as const;
}

function byMethod() {
  const rows = Object.values(PAYOUT_METHODS).map(({ id, label, min = 100 }) => {
    const refusal = { kind: "settings.method-out-of-range", method: id } as const;
    const amount = within("francs", 1, 1_000_000, refusal);
    return [
      id,
      {
        label,
        parts: {
          /** False: the method is neither offered nor accepted. */
          open: {
            kind: "switch",
            initial: true,
            label: "Ouvert",
            said: "ouvert",
            words: ["Ouvert", "Fermé"],
            hint: "Fermé : le mode n'est plus proposé et une demande est refusée.",
          },
          min: {
            ...amount,
            initial: min,
            label: "Minimum",
            said: "minimum",
            brief: (said: string) => `dès ${said}`,
          },
          /** An amount must be a multiple of it. */
          step: {
            ...amount,
            initial: 1,
            label: "Multiple de",
            said: "multiple de",
            brief: (said: string, step: number) => (step > 1 ? `par multiples de ${said}` : null),
          },
        },
      },
    ] as const;
  });
  return Object.fromEntries(rows) as Readonly<Record<PayoutMethodId, (typeof rows)[number][1]>>;
}

/** One field for each provider, with the hint below the first. */
function byProvider<const F extends Omit<Field, "label">>(
  hint: string,
  field: (provider: KnownProvider) => F,
) {
  const rows = KNOWN_PROVIDERS.map((provider, at) => {
    const { name: label } = PROVIDERS[provider];
    return [provider, { ...field(provider), label, ...(at === 0 ? { hint } : {}) }] as const;
  });
  return Object.fromEntries(rows) as Readonly<Record<KnownProvider, F & { label: string }>>;
}
