// A subscription on one account, restored on a second one, and kept up to date by Apple's messages.

import { createHash } from "node:crypto";

import { walk } from "../walk.mjs";

const { ask, eventually, apple, transaction } = await walk("road-app");
const BASE = "/payment-api/api/billing/subscription";
const [a, b] = [`anna-${process.pid}`, `bert-${process.pid}`];
const tokenOf = (user) => {
  const hex = createHash("sha256").update(`roadsmart:${user}`).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-");
};
const productId = "com.roadsmart.plus.yearly";

apple(a, "subscribe", "--product", productId, "--token", tokenOf(a));
const transactionJws = transaction(a);
const signed = JSON.parse(Buffer.from(transactionJws.split(".")[1], "base64url"));
const { transactionId, originalTransactionId } = signed;
const verify = { productId, transactionJws, transactionId, originalTransactionId, appAccountToken: tokenOf(a) };

await ask(b, "POST", `${BASE}/verify`, verify, { error: "wrong_account" }, 403);
await ask(b, "POST", `${BASE}/verify`, { ...verify, appAccountToken: tokenOf(b) }, { error: "claim_mismatch" }, 400);
const owned = { isActive: true, productId, originalTransactionId, environment: "Production", expiresAt: (time) => time > new Date().toISOString() };
await ask(a, "POST", `${BASE}/verify`, verify, { entitlement: owned });
await ask(a, "POST", `${BASE}/verify`, { ...verify, productId: "com.roadsmart.gold" }, { error: "claim_mismatch" }, 400);
await ask(a, "POST", `${BASE}/verify`, { ...verify, transactionJws: "a.b.c" }, { error: "verification_failed" }, 400);
await ask(a, "POST", `${BASE}/verify`, { productId }, { error: "invalid_request" }, 400);

const wrong = { productId, transactionJws, originalTransactionId: "999" };
await ask(b, "POST", `${BASE}/restore`, wrong, { error: "claim_mismatch" }, 400);
await ask(a, "GET", BASE, null, { entitlement: owned }); // nothing has moved
await ask(b, "POST", `${BASE}/restore`, { productId, transactionJws, originalTransactionId }, { entitlement: owned });
await ask(a, "GET", BASE, null, { entitlement: { isActive: false } });
apple(a, "refund");
await eventually(b, "GET", BASE, null, { entitlement: { isActive: false } });
await ask(null, "GET", BASE, null, { error: "unauthorized" }, 401);
console.log("All of it is right.");
