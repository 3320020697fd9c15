// One user's way through the try-on: free credits, the paywall, a trial, a refused card, and back.

import { walk } from "../walk.mjs";

const { ask, eventually, apple, transaction } = await walk("try-on", { apple: "/webhooks/apple" });
const user = `ann-${process.pid}`;
const status = (expected) => [user, "GET", "/trpc/subscription.getStatus", null, { result: { data: expected } }];
const render = (renderId, expected, code = 200, more = {}) =>
  ask(user, "POST", "/trpc/render.create", { renderId, ...more }, expected, code);

const begun = await ask(user, "POST", "/trpc/account.begin", {}, { result: { data: { creditsRemaining: 3 } } });
await ask(...status({ state: "free_with_credits", canRender: true, isSubscriber: false, paywall: "Start free trial" }));
await render("one", { result: { data: { creditsRemaining: 2 } } });
await render("one", { result: { data: { creditsRemaining: 2 } } }); // again: charged once
await render("torn", { error: { data: { code: "INTERNAL_SERVER_ERROR" } } }, 500, { garment: "torn" });
await render("torn", { error: { data: { code: "CONFLICT" } } }, 409); // it was paid back: no free image
await render("one", { result: { data: { image: (url) => url.endsWith("shirt.png") } } }, 200, { garment: "coat" });
await render("\ud800", { error: { data: { code: "BAD_REQUEST" } } }, 400);
await render("two", { result: { data: { creditsRemaining: 1 } } }); // the failed one cost nothing
await render("three", { result: { data: { creditsRemaining: 0 } } });
await render("four", { error: { message: "Start free trial", code: -32002, data: { code: "PAYMENT_REQUIRED", httpStatus: 402 } } }, 402);

const { appAccountToken } = begun.result.data;
apple(user, "subscribe", "--product", "paid.yearly", "--trial", "P1W", "--token", appAccountToken);
await eventually(...status({ state: "trial", canRender: true, isSubscriber: true, paywall: null }));
await render("five", { result: { data: { creditsRemaining: 0 } } });
apple(user, "cancel");
await eventually(...status({ state: "trial", canRender: true })); // cancelled keeps access until the end
apple(user, "refund");
await eventually(...status({ state: "free_no_credits", canRender: false, hadSubscription: true, paywall: "Resubscribe" }));
await render("six", { error: { message: "Resubscribe", data: { code: "PAYMENT_REQUIRED" } } }, 402);

// A purchase that the app shows before Apple's message is here.
const other = `bob-${process.pid}`;
apple(other, "subscribe", "--product", "paid.monthly");
const body = { signedTransaction: transaction(other) };
await ask(other, "POST", "/trpc/subscription.verify", body, { result: { data: { state: "subscribed", isSubscriber: true } } });
await ask(user, "POST", "/trpc/subscription.verify", body, { error: { data: { code: "CONFLICT" } } }, 409);
const forged = { signedTransaction: body.signedTransaction.slice(0, -8) + "AAAAAAAA" };
await ask(user, "POST", "/trpc/subscription.verify", forged, { error: { data: { code: "BAD_REQUEST" } } }, 400);
await ask(null, "GET", "/trpc/subscription.getStatus", null, { error: { code: -32001, data: { code: "UNAUTHORIZED" } } }, 401);
await ask(null, "POST", "/webhooks/apple", { signedPayload: "a.b.c" }, { error: (word) => typeof word === "string" }, 401);
console.log("All of it is right.");
