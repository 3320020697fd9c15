// One user's way through the try-on: free credits, the paywall, a trial, a refused card, and back.

import { walk } from "../walk.mjs";

const { ask, eventually, run, apple, transaction, place } = await walk("try-on", { apple: "/webhooks/apple" });
const user = `ann-${process.pid}`;
const status = (expected) => [user, "GET", "/trpc/subscription.getStatus", null, { result: { data: expected } }];
const render = (renderId, expected, code = 200, more = {}) =>
  ask(user, "POST", "/trpc/render.create", { renderId, ...more }, expected, code);

const entitlctl = (...words) => JSON.parse(run("entitlctl", "--json", "--socket", place.socket, ...words));

await ask(...status({ state: "free_no_credits", canRender: false })); // nobody knows them yet
const begun = await ask(user, "POST", "/trpc/account.begin", {}, { result: { data: { creditsRemaining: 3 } } });
await ask(...status({ state: "free_with_credits", canRender: true, isSubscriber: false, paywall: "Start free trial" }));
await render("one", { result: { data: { creditsRemaining: 2 } } });
await render("one", { result: { data: { creditsRemaining: 2 } } }); // again: charged once
await render("one", { result: { data: { image: (url) => url.endsWith("shirt.png") } } }, 200, { garment: "coat" });
await render("torn", { error: { data: { code: "INTERNAL_SERVER_ERROR" } } }, 500, { garment: "torn" });
await render("torn", { error: { data: { code: "INTERNAL_SERVER_ERROR" } } }, 500); // no free image either
await render("\ud800", { error: { data: { code: "BAD_REQUEST" } } }, 400);
await render("two", { result: { data: { creditsRemaining: 1 } } }); // the failed one cost nothing

// A server that died after it had held the credit, seen from the daemon: there is a hold, and no image.
const held = (renderId, seconds) => entitlctl("reserve", user, "--ttl", `${seconds}`, "--key", `render:${renderId}`);
held("forgotten", 3);
await ask(...status({ creditsRemaining: 0, canRender: false }));
await eventually(...status({ creditsRemaining: 1 })); // nobody gave it back: the hold has ended
entitlctl("release", held("failed-elsewhere", 60).reservation);
await render("failed-elsewhere", { error: { data: { code: "CONFLICT" } } }, 409); // no free image here either
await ask(...status({ creditsRemaining: 1 }));
held("three", 60);
await render("three", { result: { data: { creditsRemaining: 0, image: (url) => url.endsWith("shirt.png") } } }); // the app repeats
await render("three", { result: { data: { creditsRemaining: 0 } } });
await render("four", { error: { message: "Start free trial", code: -32002, data: { code: "PAYMENT_REQUIRED", httpStatus: 402 } } }, 402);

// The batch link: several procedures in one request.
const batch = (method, names, inputs, ...expected) => {
  const query = method === "GET" ? `&input=${encodeURIComponent(JSON.stringify(inputs))}` : "";
  return ask(user, method, `/trpc/${names}?batch=1${query}`, method === "GET" ? null : inputs, ...expected);
};
const free = { result: { data: { state: "free_no_credits" } } };
await batch("GET", "subscription.getStatus,subscription.getStatus", {}, { length: 2, 0: free, 1: free });
const renders = { 0: { renderId: "three" }, 1: { renderId: "five" } };
const mixed = { length: 2, 0: { result: { data: { creditsRemaining: 0 } } }, 1: { error: { data: { code: "PAYMENT_REQUIRED", path: "render.create" } } } };
await batch("POST", "render.create,render.create", renders, mixed, 207);
await batch("GET", "subscription.getStatus", {}, { length: 1, 0: free });
await batch("GET", "nothing,nothing", {}, { length: 2, 0: { error: { code: -32004 } } }, 404);
await ask(user, "GET", "/trpc/subscription.getStatus?input=nonsense", null, { error: { data: { code: "BAD_REQUEST" } } }, 400);

const { appAccountToken } = begun.result.data;
apple(user, "subscribe", "--product", "paid.yearly", "--trial", "P1W", "--token", appAccountToken);
await eventually(...status({ state: "subscribed", canRender: true, isSubscriber: true, paywall: null })); // a trial counts
await render("six", { result: { data: { creditsRemaining: 0 } } });
apple(user, "cancel");
await eventually(...status({ state: "subscribed", canRender: true })); // cancelled keeps access until the end
apple(user, "refund");
await eventually(...status({ state: "free_no_credits", canRender: false, hadSubscription: true, paywall: "Resubscribe" }));
await render("seven", { error: { message: "Resubscribe", data: { code: "PAYMENT_REQUIRED" } } }, 402);

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
// The address that a sender claims is dropped: it is judged by its own, which may send, and by its signature.
const claimed = { "x-forwarded-for": "203.0.113.9" };
await ask(null, "POST", "/webhooks/apple", { signedPayload: "a.b.c" }, { error: (word) => typeof word === "string" }, 401, claimed);
console.log("All of it is right.");
