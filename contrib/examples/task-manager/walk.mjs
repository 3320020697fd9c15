// Two organisations: one buys on Apple, upgrades and is refunded; one buys on Google, and restores it.

import { walk } from "../walk.mjs";

const BASE = "/api/billing";
const paths = { apple: `${BASE}/webhooks/apple`, google: `${BASE}/webhooks/google` };
const { ask, eventually, apple, google, transaction } = await walk("task-manager", paths);
const [acme, beta, other] = ["acme", "beta", "other"].map((name) => `${name}-${process.pid}`);
const shown = (organisation, expected) => [organisation, "GET", `${BASE}/subscription`, null, { success: true, subscription: expected }];

await ask(...shown(acme, { plan: "free", status: "none", storage_limit: 262144000, retention_days: 7 }));
apple(acme, "subscribe", "--product", "com.taskmanager.paid.yearly");
const receipt = transaction(acme);
const paid = { plan: "paid", status: "subscribed", auto_renew_status: true, billing_retry_period: false, grace_period_expires_at: null, storage_limit: 5368709120, retention_days: 30, platform: "apple" };
const verify = { receipt, productId: "com.taskmanager.paid.yearly" };
await ask(acme, "POST", `${BASE}/verify/apple`, verify, { success: true, subscription: paid });
const { transactionId } = JSON.parse(Buffer.from(receipt.split(".")[1], "base64url"));
await ask(acme, "POST", `${BASE}/verify/apple`, { receipt: transactionId, productId: verify.productId }, { subscription: paid });
await ask(beta, "POST", `${BASE}/verify/apple`, verify, { success: false, error: "ownership_conflict" }, 409);
await ask(acme, "POST", `${BASE}/verify/apple`, { ...verify, productId: "gold" }, { success: false, error: "claim_mismatch" }, 400);
await ask(acme, "POST", `${BASE}/verify/apple`, { receipt: "AAAA", productId: "x" }, { success: false }, 400);
await ask(acme, "GET", `${BASE}/subscription/management-url?platform=ios`, null, { url: "https://apps.apple.com/account/subscriptions" });

apple(acme, "upgrade", "--product", "com.taskmanager.premium.yearly"); // at once
await eventually(...shown(acme, { plan: "premium", retention_days: null, storage_limit: 107374182400 }));
apple(acme, "downgrade", "--product", "com.taskmanager.paid.yearly"); // at the next renewal
await eventually(...shown(acme, { plan: "premium", pending_product_id: "com.taskmanager.paid.yearly" }));
apple(acme, "refund"); // at once
await eventually(...shown(acme, { is_active: false, plan: "free", status: "revoked" }));

const purchaseToken = google(beta, "buy", "--product", "paid_yearly").split("\n")[0];
const bought = { purchaseToken, productId: "paid_yearly" };
await ask(beta, "POST", `${BASE}/verify/google`, bought, { success: true, subscription: { ...paid, platform: "google", product_id: "paid_yearly" } });
await ask(other, "POST", `${BASE}/verify/google`, bought, { error: "ownership_conflict" }, 409);
await ask(beta, "GET", `${BASE}/subscription/management-url?platform=android`, null, { url: (url) => url.startsWith("https://play.google.com/") });
await ask(other, "POST", `${BASE}/subscription/restore`, { purchaseTokens: [purchaseToken] }, { results: (all) => all.length === 1 && all[0].outcome === "moved" });
await ask(...shown(other, { plan: "paid", is_active: true }));
await ask(...shown(beta, { plan: "free", is_active: false }));
google(beta, "cancel");
await eventually(...shown(other, { plan: "paid", status: "cancelled", auto_renew_status: false }));
await ask(other, "POST", `${BASE}/subscription/restore`, {}, { success: false }, 404);
console.log("All of it is right.");
