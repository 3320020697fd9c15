// A road app's payment API: verifies StoreKit 2 transactions, and restores them on a second account.

import { createHash } from "node:crypto";

import { Client } from "../../clients/node/index.mjs";
import { Refusal, meaningOf, serve, userOf } from "../serve.mjs";

const entitlements = new Client();
const BASE = "/payment-api/api/billing/subscription";

/** The token of a user's purchases: a UUID of the first 16 bytes of SHA-256 of `roadsmart:<userId>`. */
export function tokenOf(user) {
  const hex = createHash("sha256").update(`roadsmart:${user}`).digest("hex").slice(0, 32);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** What a JWS says, not yet verified. */
function payloadOf(jws) {
  try {
    return Object(JSON.parse(Buffer.from(jws.split(".")[1] ?? "", "base64url")));
  } catch {
    throw new Refusal(400, { error: "verification_failed", message: "transactionJws is no JWS" });
  }
}

function text(body, name, isRequired = true) {
  const value = body[name];
  if (typeof value === "string" && value !== "") return value;
  if (value === undefined && !isRequired) return undefined;
  throw new Refusal(400, { error: "invalid_request", message: `${name} is missing` });
}

serve(
  {
    [`POST ${BASE}/verify`]: async (request) => {
      const user = userOf(request);
      const { body } = request;
      // The app names the token that it bought with; only this user's own is believed.
      if (text(body, "appAccountToken").toLowerCase() !== tokenOf(user)) {
        throw new Refusal(403, { error: "wrong_account", message: "appAccountToken is not this user's" });
      }
      const { entitlement } = await entitlements.verifyPurchase(user, text(body, "transactionJws"), {
        productId: text(body, "productId"),
        transactionId: text(body, "transactionId", false),
        originalTransactionId: text(body, "originalTransactionId", false),
        appAccountToken: tokenOf(user),
      });
      return { entitlement };
    },

    // Account B takes over what account A bought on the same Apple ID: the daemon's transfer policy.
    [`POST ${BASE}/restore`]: async (request) => {
      const user = userOf(request);
      const jws = text(request.body, "transactionJws");
      // Before anything moves: the daemon verifies what is compared here with the claims.
      const signed = payloadOf(jws);
      for (const name of ["productId", "originalTransactionId", "transactionId"]) {
        const claim = text(request.body, name, name !== "transactionId");
        if (claim !== undefined && claim !== signed[name]) {
          throw new Refusal(400, { error: "claim_mismatch", message: `${name} is not what is signed` });
        }
      }
      const options = { appAccountToken: tokenOf(user) };
      const { entitlement, results } = await entitlements.restorePurchases(user, [jws], options);
      if (results.some((one) => one.outcome === "refused")) throw new Refusal(409, { error: "ownership_conflict", message: "it is another user's" });
      return { entitlement };
    },

    [`GET ${BASE}`]: async (request) => ({ entitlement: await entitlements.entitlement(userOf(request)) }),
  },
  (error) => {
    const { status, word } = meaningOf(error) ?? {};
    if (status === undefined || status === 503) return status && { status, body: { error: word } };
    const own = error instanceof TypeError ? "invalid_request" : word;
    return { status, body: { error: own, message: error.message } };
  },
);
