// Lets a request of an Express app pass only when entitld says that its user may render.
//
//     import { mayRender } from "./express-entitlements.mjs";
//     app.post("/render", mayRender({ userIdOf: (request) => request.user.id }), render);
//
// A no is 402 with the daemon's reason, so that the app can show the right paywall. Where no answer
// comes the request gets 503, or passes with `openWhenUnavailable: true`: that is your decision.

import { Client, Unavailable } from "../clients/node/index.mjs";

export function mayRender({
  userIdOf,
  cost = 1,
  entitlements = new Client(), // one for the whole process: all calls share its connection
  openWhenUnavailable = false,
}) {
  return async function mayRender(request, response, next) {
    const userId = userIdOf(request);
    if (!userId) return response.status(401).json({ error: "unauthenticated" });
    let answer;
    try {
      answer = await entitlements.canRender(userId, { cost });
    } catch (error) {
      if (!(error instanceof Unavailable)) return next(error);
      if (openWhenUnavailable) return next();
      return response.status(503).set("Retry-After", "1").json({ error: "unavailable" });
    }
    if (answer.canRender) return next();
    return response.status(402).json({ error: "payment_required", reason: answer.reason });
  };
}
