import sharp from "sharp";
import type { StartedProduct } from "../../tools/launch/start-product.ts";

export type Seeded = {
  readonly reference: string;
  readonly emulatorUrl: string;
  /** Where Telegram opens the app for its seller. */
  readonly launchUrl: string;
};

type Json = Record<string, unknown>;

/**
 * Links a group and publishes one product with a photograph, by the calls that people's apps make.
 */
export async function seedProduct(product: StartedProduct): Promise<Seeded> {
  const { appUrl, emulatorUrl } = product;
  if (!emulatorUrl) throw new Error("the bench needs the demo's emulators");
  const act = async (action: Json): Promise<Json> => {
    const answer = await fetch(`${emulatorUrl}/emulators/act`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(action),
    });
    if (!answer.ok) throw new Error(`${String(action["act"])}: ${await answer.text()}`);
    return (await answer.json()) as Json;
  };
  const seller = await sellerOf(emulatorUrl);
  const launch = await act({ act: "openMiniApp", personId: seller, bot: "seller" });
  const initData = new URLSearchParams(new URL(String(launch["url"])).hash.slice(1)).get(
    "tgWebAppData",
  );
  const signedIn = await readJson(
    await fetch(`${appUrl}/api/auth/vendeur`, {
      method: "POST",
      headers: { "x-telegram-init-data": initData ?? "", "content-type": "application/json" },
      body: "{}",
    }),
  );
  const authorization = { authorization: `Bearer ${String(signedIn["token"])}` };
  const chat = await act({
    act: "createChat",
    ownerId: seller,
    kind: "supergroup",
    title: "Club Trading Abidjan",
  });
  await act({
    act: "addBot",
    personId: seller,
    chatId: chat["chatId"],
    bot: "seller",
    rights: ["manage_chat", "invite_users", "restrict_members"],
  });
  const groupId = await untilLinked(appUrl, authorization);
  const durations = (await (await fetch(`${appUrl}/api/config/subscription_durations`)).json()) as {
    id: string;
    minutes: number;
  }[];
  const form = new FormData();
  form.set("group_id", groupId);
  form.set("title", "Signaux trading : le club privé");
  form.set("price", "5000");
  form.set("description", "Analyses du matin, signaux en direct, salon d'entraide. ".repeat(4));
  form.set("duration", durations.find(({ minutes }) => minutes === 43_200)?.id ?? "");
  form.set("image", new Blob([await photograph()], { type: "image/jpeg" }), "photo.jpg");
  const published = await readJson(
    await fetch(`${appUrl}/api/products`, { method: "POST", headers: authorization, body: form }),
  );
  await readJson(
    await fetch(`${appUrl}/api/users/${String((signedIn["user"] as Json)["id"])}`, {
      method: "PUT",
      headers: { ...authorization, "content-type": "application/json" },
      body: JSON.stringify({ deja: true, plan: true, type_plan: "gratuit" }),
    }),
  );
  return {
    reference: String((published["product"] as Json)["reference"]),
    emulatorUrl,
    launchUrl: String(launch["url"]),
  };
}

async function sellerOf(emulatorUrl: string): Promise<number> {
  const state = await readJson(await fetch(`${emulatorUrl}/emulators/state`));
  const phones = state["phones"] as { id: string; personId: number }[];
  const phone = phones.find(({ id }) => id === "seller");
  if (!phone) throw new Error("the emulators have no seller's phone");
  return phone.personId;
}

async function untilLinked(appUrl: string, headers: Record<string, string>): Promise<string> {
  const patience = Date.now() + 20_000;
  while (Date.now() < patience) {
    const answer = await readJson(await fetch(`${appUrl}/api/channels`, { headers }));
    const channels = answer["channels"] as { id: string }[] | undefined;
    if (channels?.[0]) return channels[0].id;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("the group was not linked in 20 s");
}

async function readJson(answer: Response): Promise<Json> {
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.url}: ${answer.status} ${text}`);
  return JSON.parse(text) as Json;
}

/** A picture with as much detail as a phone's photograph: smooth shapes under sensor noise. */
async function photograph(): Promise<Buffer<ArrayBuffer>> {
  const drawing = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1000">
      <defs><linearGradient id="s" x2="0" y2="1"><stop stop-color="#f6b26b"/>
      <stop offset="1" stop-color="#274b7a"/></linearGradient></defs>
      <rect width="1600" height="1000" fill="url(#s)"/>
      ${Array.from({ length: 60 }, (_, at) => `<circle cx="${(at * 271) % 1600}" cy="${(at * 157) % 1000}" r="${20 + ((at * 37) % 120)}" fill="hsl(${(at * 47) % 360} 55% 50%)" opacity="0.35"/>`).join("")}
    </svg>`,
  );
  const noise = await sharp({
    create: {
      width: 1600,
      height: 1000,
      channels: 3,
      background: "#808080",
      noise: { type: "gaussian", mean: 128, sigma: 12 },
    },
  })
    .png()
    .toBuffer();
  const jpeg = await sharp(drawing)
    .composite([{ input: noise, blend: "soft-light" }])
    .jpeg({ quality: 90 })
    .toBuffer();
  return Buffer.from(new Uint8Array(jpeg));
}
