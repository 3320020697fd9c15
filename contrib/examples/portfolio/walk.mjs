// An iOS user with an old receipt, and one who pays on the web; both lose their plan, and their stocks.

import { dirname } from "node:path";
import { setTimeout } from "node:timers/promises";

import { receiptOf } from "../receipt.mjs";
import { walk } from "../walk.mjs";

const paths = { apple: "/api/webhooks/apple", stripe: "/api/webhooks/stripe" };
const { ask, eventually, run, apple, stripe, transaction, place } = await walk("portfolio", paths);
const [ida, wes, gwen, rhea, lena] = ["ida", "wes", "gwen", "rhea", "lena"].map((name) => `${name}-${process.pid}`);
const portfolio = (user, expected) => [user, "GET", "/api/portfolio", null, expected];
const directory = (user, expected) => [user, "GET", "/api/directory", null, { publicMetadata: expected }];
const document = (user, expected) => [user, "GET", "/api/document", null, expected];
const productId = "com.portfolio.pro.yearly";
const validate = (user, receiptData, expected, status = 200) =>
  ask(user, "POST", "/api/subscriptions/validate-ios-receipt", { receiptData, productId }, expected, status);
const signed = (user) => JSON.parse(Buffer.from(transaction(user).split(".")[1], "base64url"));
const receiptFor = (user) => receiptOf(dirname(place.apple), signed(user));
const entitlctl = (...words) => run("entitlctl", "--socket", place.admin, ...words);
const inApp = { tier: "paid", subscriptionMethod: "app_store_subscription" };
const free = { tier: "free", subscriptionMethod: null };

await ask(...portfolio(ida, { ...free, stocks: [] }));
apple(ida, "subscribe", "--product", productId);
await validate(ida, receiptFor(ida), { isValid: true, tier: "paid", expiresAt: (time) => time > new Date().toISOString() });
await validate(ida, "AAAA", { isValid: false, tier: "paid", message: "The receipt is not valid" });
await validate(ida, undefined, { error: "invalid_params" }, 400);
const stocks = ["AAA", "BBB", "CCC", "DDD", "EEE"];
const trimmed = stocks.slice(0, 3);
await ask(ida, "PUT", "/api/portfolio", { stocks }, { stocks });
await ask(...portfolio(ida, { ...inApp, stocks }));
await eventually(...directory(ida, inApp));
await ask(...document(ida, { appleProductId: productId, appleEnvironment: "Production", appleAutoRenewStatus: true }));
await ask(ida, "GET", "/api/subscriptions/manage", null, { error: "not_managed_here" }, 404);

await ask(ida, "PUT", "/api/portfolio", { stocks: [1] }, { error: "stocks is no list of names" }, 400);
apple(ida, "refund");
await eventually(...directory(ida, free));
await ask(...portfolio(ida, { ...free, stocks: trimmed }));
// What support gives is paid for by none of the means that the product has a word for.
entitlctl("grant", ida, "--plan", "pro");
await eventually(...directory(ida, { tier: "paid", subscriptionMethod: null }));
await ask(...portfolio(ida, { tier: "paid", subscriptionMethod: null }));

await ask(wes, "PUT", "/api/portfolio", { stocks }, { error: "upgrade_required", stocksMax: 3 }, 402);
stripe(wes, "subscribe");
await eventually(...portfolio(wes, { tier: "paid", subscriptionMethod: "stripe" }));
await ask(wes, "PUT", "/api/portfolio", { stocks }, { stocks });
await eventually(...directory(wes, { tier: "paid", subscriptionMethod: "stripe" }));
await ask(wes, "GET", "/api/subscriptions/manage", null, { url: (url) => url.startsWith("http") });
await eventually(...document(wes, { stripeCustomerId: `cus_${wes}`, stripeSubscriptionId: (id) => id.startsWith("sub_") }));
stripe(wes, "cancel-now");
await eventually(...directory(wes, free));
await ask(...portfolio(wes, { ...free, stocks: trimmed }));
entitlctl("erase", wes, "--yes"); // and nobody keeps anything
await eventually(wes, "GET", "/api/directory", null, { publicMetadata: { tier: undefined } });
await ask(...document(wes, { stocks: [], stripeCustomerId: undefined, stripeSubscriptionId: undefined }));

// Three whose first days end now. In the words of the store: a card that is refused, with a grace period and
// without, and a renewal that is only late.
for (const user of [lena, rhea, gwen]) {
  apple(user, "subscribe", "--product", productId, "--trial", "P2D");
  await validate(user, receiptFor(user), { isValid: true, tier: "paid" });
  await ask(user, "PUT", "/api/portfolio", { stocks }, { stocks });
  await eventually(...directory(user, inApp));
}
await setTimeout(signed(gwen).expiresDate - Date.now() + 1);
apple(gwen, "fail-to-renew");
await ask(...portfolio(gwen, { ...inApp, stocks })); // grace
apple(rhea, "fail-to-renew", "--no-grace");
await ask(...portfolio(rhea, { ...inApp, stocks })); // retry

await ask(...portfolio(lena, free)); // the period has ended, and nobody has said why
await ask(...directory(lena, inApp)); // so nothing is told
apple(lena, "renew");
await ask(...portfolio(lena, { ...inApp, stocks }));
const inAMinute = new Date(Date.now() + 60_000).toISOString();
await eventually(...document(lena, { appleExpiresDate: (time) => time > inAMinute, stocks })); // told in order: nothing was trimmed

await eventually(...directory(gwen, free)); // the grace period is over
await ask(...portfolio(gwen, { ...free, stocks: trimmed }));
apple(gwen, "grace-expires"); // Apple says so, too, and still retries the card
await ask(...portfolio(gwen, free));
await validate(gwen, receiptFor(gwen), { isValid: false, tier: "free", message: "The grace period is over" });
await ask(...directory(gwen, free));
apple(gwen, "recover");
await ask(...portfolio(gwen, inApp));
await eventually(...directory(gwen, inApp));
await ask(...directory(rhea, inApp)); // without a grace period a retry stays paid
apple(rhea, "expire");
await eventually(...directory(rhea, free));
await ask(...portfolio(rhea, { ...free, stocks: trimmed }));

entitlctl("outbox", "test", "app"); // a message of another type is taken, and means nothing
await ask(wes, "POST", "/api/entitlements", { data: {} }, { error: "unauthorized" }, 401);
await ask(null, "POST", "/api/webhooks/apple", { signedPayload: "a.b.c" }, { error: "unauthorized" }, 401);
console.log("All of it is right.");
