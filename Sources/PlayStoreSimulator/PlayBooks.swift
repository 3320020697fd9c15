// PlayStoreSimulator is a local Google Play: customers, signed pushes, and the API that Google has.
//
// In reading order:
//   PlaySettings    the app, what it sells (PlayItem), and how fast time runs
//   SoldPurchase    one purchase, and what the API says of it
//   PlayBooks       below: all purchases; +Actions has what happens to one, PlayAction names it;
//                   +Life has what happens to customers who live by themselves
//   PlayDirectory   a directory that keeps the books and the keys
//   PushSigner      pushes as Pub/Sub writes them; PushDelivery posts and repeats them
//   PlayAPI         access tokens, the keys of pushes, and the Android Publisher API
//
// Its laws:
//   1. Pushes and answers have the shape, the names and the codes that Google documents.
//   2. A push says only that something changed; what holds is asked of the API.
//   3. The same seed gives the same lives and the same weather.
//   4. Weather, time and server are those of AppStoreSimulator.
//
// It never is a part of the daemon: a test keeps entitld from importing it.

import AppStoreSimulator
import JSON

/// Everything that a simulated Google Play knows.
package struct PlayBooks: Codable, Sendable {
    /// What it is like.
    package let settings: PlaySettings
    /// Every purchase, by its token.
    package internal(set) var purchases: [String: SoldPurchase] = [:]
    private var made: Int64 = 0

    /// The books of a new store.
    package init(_ settings: PlaySettings) { self.settings = settings }

    /// What a customer bought last; what is still to be paid comes after all that is paid, and what
    /// was cancelled before it was paid comes before it.
    package func newest(
        of customer: String,
        where isMeant: (SoldPurchase) -> Bool = { _ in true }
    ) -> SoldPurchase? {
        purchases.values.filter { $0.customer == customer && isMeant($0) }
            .max { ($0.begun, $0.token) < ($1.begun, $1.token) }
    }

    /// A name that nothing has had before: `token` or `GPA`.
    mutating func fresh(_ kind: String) -> String {
        made += 1
        let number = String(made)
        let digits = String(repeating: "0", count: max(0, 9 - number.count)) + number
        // As long as Google's own.
        return kind == "GPA"
            ? "GPA.3300-0000-\(digits.prefix(4))-\(digits.suffix(5))"
            : "sim" + String(repeating: "x", count: 21) + ".AO-J1Oz\(digits)"
    }

    /// What `voidedpurchases.list` lists between two moments.
    func voids(
        in window: ClosedRange<Int64>,
        withSubscriptions: Bool
    ) -> [(SoldPurchase, SoldPurchase.Void)] {
        var found: [(SoldPurchase, SoldPurchase.Void)] = []
        for purchase in purchases.values where withSubscriptions || purchase.item.plan == .oneTime {
            for void in purchase.voids where window.contains(void.at) {
                found.append((purchase, void))
            }
        }
        return found.sorted { ($0.1.at, $0.0.token) < ($1.1.at, $1.0.token) }
    }
}

extension PlayBooks {
    /// Every purchase as one line of JSON, in the order of tokens.
    package var lines: [String] {
        purchases.values.sorted { $0.token < $1.token }
            .map { purchase in
                var line: JSONObject = [
                    "customer": .string(purchase.customer), "token": .string(purchase.token),
                    "product": .string(purchase.item.productID),
                    "state": .string(purchase.state.rawValue),
                    "order": .string(purchase.orderID),
                    "acknowledged": .bool(purchase.isAcknowledged),
                    "consumed": .bool(purchase.isConsumed), "told": .integer(purchase.told),
                    "voided": .integer(Int64(purchase.voids.count)),
                    "renews": .bool(purchase.renews), "trial": .bool(purchase.isTrial),
                    "payments": .integer(purchase.payments),
                    "presentVoided": .bool(purchase.isVoided),
                    "quantity": .integer(purchase.quantity),
                    "refunded": .integer(min(purchase.refunded, purchase.quantity)),
                    "paidBack": .bool(purchase.paidBack != nil),
                ]
                line["added"] = purchase.added.map { .string($0.productID) }
                line["linked"] = purchase.linked.map { .string($0) }
                line["expiresAt"] = purchase.expires.map { .integer($0) }
                return String(decoding: JSONValue.object(line).bytes, as: UTF8.self)
            }
    }
}

extension SoldPurchase {
    /// When it was granted, as far as the order of purchases goes.
    fileprivate var begun: Int64 { started ?? (state == .pendingCanceled ? .min : .max) }
}
