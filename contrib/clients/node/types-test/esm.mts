// Compiled and never run: the types of the client, as a strict program uses them.

import { Client, Unavailable, type Status } from "entitld";

const entitlements = new Client({ timeoutMs: 5 });

export async function mayRender(user: string): Promise<boolean> {
  const status: Status = await entitlements.status(user);
  const answer = await entitlements.read("canRender", { userId: user });
  const events = await entitlements.history(user, { afterSeq: 3 });
  const by: string | undefined = events[0]?.by?.role;
  await entitlements.verifyPurchase(user, null, { purchaseToken: "t" });
  const { outcome, creditsRemaining } = await entitlements.consumeCredit(user, { amount: 2 });
  for await (const { event, params } of entitlements.watch()) {
    if (event === "resync") console.log(params.oldest, by, outcome, creditsRemaining + 1);
    if (event === "entitlementChanged") console.log(params.seq, params.status.canRender);
    if (event === "storeEvent") console.log(params.type, params.expiresAt);
  }
  return answer.canRender && status.isSubscriber;
}

mayRender("a").catch((error: unknown) => {
  if (error instanceof Unavailable) console.log(error.code, error.name, error.idempotencyKey?.length);
});

// @ts-expect-error: a member that there is not
entitlements.status("a").then((status) => status.colour);
entitlements.signIntroductoryOffer("a", "p").then(({ jws }) => jws.length);
entitlements.dump({ table: "accounts", minSeq: 3 }).then(({ entries }) => entries.length);
// @ts-expect-error: a cost is a number
entitlements.canRender("a", { cost: "1" });
