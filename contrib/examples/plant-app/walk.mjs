// A membership: bought, found in the table, kept by the outbox, and refreshed after a lost message.

import { execFileSync } from "node:child_process";
import { dirname } from "node:path";

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
const body = { provider: "apple", product_id, receipt_or_token };
const verify = (who, changed, expected) => ask(who, "POST", `${functions}/verify-subscription`, { ...body, ...changed }, expected);
const bought = { product_id, transaction_id: transactionId, original_transaction_id: originalTransactionId };
await verify(user, {}, { ...bought, status: "active", current_period_end: (time) => time < "2100", error: undefined });
await ask(...row({ status: "active", apple_original_transaction_id: originalTransactionId }));
// What is refused is an answer, too, with the product that was asked for.
const refused = (error, product = product_id) => ({ status: "inactive", product_id: product, error, transaction_id: undefined });
await verify(`other-${user}`, {}, refused("ownership_conflict"));
await verify(user, { receipt_or_token: JSON.stringify({ transactionId: "7" }) }, refused("not_found"));
await verify(user, { receipt_or_token: "nonsense" }, refused("receipt_or_token is no transaction"));
await verify(user, { product_id: "com.plantclub.gold" }, refused("claim_mismatch", "com.plantclub.gold"));
await verify(user, { provider: "google" }, refused("provider is not apple"));
await ask(...row({ status: "active" })); // none of it has touched the row

apple(user, "refund");
await eventually(...row({ status: "inactive" })); // the outbox told
await verify(user, {}, { ...bought, status: "inactive", error: undefined });
const entitlctl = (...words) => run("entitlctl", "--socket", place.admin, ...words);
const { grant } = JSON.parse(entitlctl("--json", "grant", user, "--plan", "club"));
// A grant is shown, which has no transaction.
const granted = { status: "active", product_id, transaction_id: undefined, current_period_end: undefined };
await verify(user, {}, granted);
entitlctl("revoke", user, grant, "--yes");
await eventually(...row({ status: "inactive" }));

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
entitlctl("outbox", "test", "app"); // a message of another type is taken, and means nothing
entitlctl("erase", user, "--yes");
await eventually(...row({ status: "inactive", user_id: undefined })); // the row is gone

// An error that nobody foresaw is answered, too: the table is away.
const rename = (from, to) => {
  const program = `import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute("alter table ${from} rename to ${to}")`;
  execFileSync("python3", ["-c", program, `${dirname(place.apple)}/memberships.db`]);
};
rename("club_memberships", "elsewhere");
await ask(...row({ error: "internal_error" }), 500);
rename("elsewhere", "club_memberships");
await ask(...row({ status: "inactive" }));
console.log("All of it is right.");
