// An iOS user with an old receipt, and one who pays on the web; both lose their plan, and their stocks.

import { dirname } from "node:path";

import { receiptOf } from "../receipt.mjs";
import { walk } from "../walk.mjs";

const paths = { apple: "/api/webhooks/apple", stripe: "/api/webhooks/stripe" };
const { ask, eventually, run, apple, stripe, transaction, place } = await walk("portfolio", paths);
const [ida, wes] = ["ida", "wes"].map((name) => `${name}-${process.pid}`);
const portfolio = (user, expected) => [user, "GET", "/api/portfolio", null, expected];
const directory = (user, expected) => [user, "GET", "/api/directory", null, { publicMetadata: expected }];
const validate = (receiptData, expected, status = 200) =>
  ask(ida, "POST", "/api/subscriptions/validate-ios-receipt", { receiptData, productId: "com.portfolio.pro.yearly" }, expected, status);

await ask(...portfolio(ida, { tier: "free", subscriptionMethod: null, stocks: [] }));
apple(ida, "subscribe", "--product", "com.portfolio.pro.yearly");
const signed = JSON.parse(Buffer.from(transaction(ida).split(".")[1], "base64url"));
const receipt = receiptOf(dirname(place.apple), signed);
await validate(receipt, { isValid: true, tier: "paid", expiresAt: (time) => time > new Date().toISOString() });
await validate("AAAA", { isValid: false, tier: "paid", message: "The receipt is not valid" });
await validate(undefined, { error: "invalid_params" }, 400);
const stocks = ["AAA", "BBB", "CCC", "DDD", "EEE"];
await ask(ida, "PUT", "/api/portfolio", { stocks }, { stocks });
await ask(...portfolio(ida, { tier: "paid", subscriptionMethod: "app_store_subscription", stocks }));
await eventually(...directory(ida, { tier: "paid", subscriptionMethod: "app_store_subscription" }));
await ask(ida, "GET", "/api/subscriptions/manage", null, { error: "not_managed_here" }, 404);

await ask(ida, "PUT", "/api/portfolio", { stocks: [1] }, { error: "stocks is no list of names" }, 400);
apple(ida, "refund");
await eventually(...directory(ida, { tier: "free", subscriptionMethod: null }));
await ask(...portfolio(ida, { tier: "free", subscriptionMethod: null, stocks: stocks.slice(0, 3) }));

await ask(wes, "PUT", "/api/portfolio", { stocks }, { error: "upgrade_required", stocksMax: 3 }, 402);
stripe(wes, "subscribe");
await eventually(...portfolio(wes, { tier: "paid", subscriptionMethod: "stripe" }));
await ask(wes, "PUT", "/api/portfolio", { stocks }, { stocks });
await eventually(...directory(wes, { tier: "paid", subscriptionMethod: "stripe" }));
await ask(wes, "GET", "/api/subscriptions/manage", null, { url: (url) => url.startsWith("http") });
stripe(wes, "cancel-now");
await eventually(...directory(wes, { tier: "free", subscriptionMethod: null }));
await ask(...portfolio(wes, { tier: "free", stocks: stocks.slice(0, 3) }));
run("entitlctl", "--socket", place.admin, "erase", wes, "--yes"); // and nobody keeps anything
await eventually(wes, "GET", "/api/directory", null, { publicMetadata: { tier: undefined } });
await ask(...portfolio(wes, { stocks: [] }));
await ask(wes, "POST", "/api/entitlements", { data: {} }, { error: "unauthorized" }, 401);
await ask(null, "POST", "/api/webhooks/apple", { signedPayload: "a.b.c" }, { error: "unauthorized" }, 401);
console.log("All of it is right.");
