// A membership: bought, found in the table, kept by the outbox, and refreshed after a lost message.

import { walk } from "../walk.mjs";

const { ask, eventually, run, apple, transaction, place } = await walk("plant-app");
const user = `flora-${process.pid}`;
const functions = "/functions/v1";
const row = (expected) => [user, "GET", "/club_memberships", null, expected];
const product_id = "com.plantclub.club.monthly";

apple(user, "subscribe", "--product", product_id);
const { transactionId, originalTransactionId } = JSON.parse(Buffer.from(transaction(user).split(".")[1], "base64url"));
// What the app sends: StoreKit's jsonRepresentation, in which anybody can write anything.
const receipt_or_token = JSON.stringify({ transactionId, productId: product_id, expiresDate: 4102444800000 });
await ask(user, "POST", `${functions}/verify-subscription`, { provider: "apple", product_id, receipt_or_token }, {
  status: "active",
  product_id,
  transaction_id: transactionId,
  original_transaction_id: originalTransactionId,
  current_period_end: (time) => time < "2100",
});
await ask(...row({ status: "active", apple_original_transaction_id: originalTransactionId }));
const body = { provider: "apple", product_id, receipt_or_token };
await ask(`other-${user}`, "POST", `${functions}/verify-subscription`, body, { status: "inactive", error: "ownership_conflict" }, 409);
const invented = { ...body, receipt_or_token: JSON.stringify({ transactionId: "7" }) };
await ask(user, "POST", `${functions}/verify-subscription`, invented, { error: "not_found" }, 404);
await ask(user, "POST", `${functions}/verify-subscription`, { ...body, receipt_or_token: "nonsense" }, { status: "inactive" }, 400);

apple(user, "refund");
await eventually(...row({ status: "inactive" })); // the outbox told

apple(user, "subscribe", "--product", product_id);
await eventually(...row({ status: "active" }));
apple(user, "refund", "--lose"); // Apple's message is lost: only who asks learns of it
await ask(...row({ status: "active" }));
await ask("service-key-of-the-example", "POST", `${functions}/refresh-subscriptions`, {}, { refreshed: (count) => count >= 1, failed: 0 });
await ask(...row({ status: "inactive" }));
await ask("nobody", "POST", `${functions}/refresh-subscriptions`, {}, { error: "unauthorized" }, 401);
await ask(user, "POST", "/outbox", { data: {} }, { error: "unauthorized" }, 401);
const key = "service-key-\u00e9";
await ask(encodeURIComponent(key), "POST", `${functions}/refresh-subscriptions`, {}, { error: "unauthorized" }, 401);
run("entitlctl", "--socket", place.admin, "erase", user, "--yes");
await eventually(...row({ status: "inactive", user_id: undefined })); // the row is gone
console.log("All of it is right.");
