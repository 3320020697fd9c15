// StripeSimulator is a local Stripe: customers, signed events, and the API that Stripe has.
//
// In reading order:
//   StripeSettings   the account, what it sells, and how fast time runs
//   SoldSubscription a subscription, as the books hold it; invoices, charges, visits beside it
//   StripeBooks      below: all of them; +Actions has what happens, StripeAction names it;
//                    +Life has what happens to customers who live by themselves
//   Objects.swift    the same as Stripe writes it, before and after 2025-03-31
//   StripeDirectory  a directory that keeps the books
//   EventDelivery    signs events, posts and repeats them
//   AccountAPI       the API, as far as a daemon and Stripe's own library ask it
//
// Its laws:
//   1. Events and answers have the shape, the names and the codes that Stripe documents.
//   2. An event shows its object as it was then; the API answers with what is.
//   3. The same seed gives the same lives and the same weather.
//   4. Weather, time and server are those of AppStoreSimulator.
//
// It never is a part of the daemon: a test keeps entitld from importing it.

import AppStoreSimulator
import JSON

/// Everything that a simulated Stripe account knows.
package struct StripeBooks: Codable, Sendable {
    /// What it is like.
    package let settings: StripeSettings
    /// Every subscription, by its id.
    package internal(set) var subscriptions: [String: SoldSubscription] = [:]
    var invoices: [String: SoldInvoice] = [:]
    var charges: [String: SoldCharge] = [:]
    var visits: [String: SoldVisit] = [:]
    /// What was told, the oldest first.
    package internal(set) var events: [KeptEvent] = []
    private var made: Int64 = 0

    /// The books of a new account.
    package init(_ settings: StripeSettings) { self.settings = settings }

    /// The subscription that a customer began last.
    package func newest(of customer: String) -> SoldSubscription? {
        subscriptions.values.filter { $0.customer == customer }.max { $0.id < $1.id }
    }

    /// An id that nothing has had before.
    mutating func fresh(_ kind: String) -> String {
        made += 1
        let number = String(made)
        return "\(kind)_sim\(String(repeating: "0", count: max(0, 12 - number.count)))\(number)"
    }

    /// The charge by which a customer paid last.
    func newestCharge(of customer: String) -> SoldCharge? {
        charges.values.filter { $0.customer == customer }.max { $0.id < $1.id }
    }

    /// The visit in which a customer bought something once last.
    func newestPurchase(of customer: String) -> SoldVisit? {
        visits.values.filter { $0.customer == customer && $0.subscription == nil }
            .max { $0.id < $1.id }
    }
}

extension StripeBooks {
    /// Every subscription and every thing bought once as one line of JSON, in the order of ids.
    package var lines: [String] {
        let subscribed = subscriptions.values.sorted { $0.id < $1.id }
            .map { sold -> JSONObject in
                var line: JSONObject = [
                    "customer": .string(sold.customer), "id": .string(sold.id),
                    "price": .string(sold.price.lookupKey), "status": .string(sold.status),
                    "currentPeriodStart": .integer(sold.start),
                    "currentPeriodEnd": .integer(sold.end), "ends": .bool(sold.isEnding),
                    "withdrawn": .bool(isWithdrawn(invoices[sold.latestInvoice])),
                ]
                line["pause"] = sold.pause.map { .string($0) }
                return line
            }
        let bought = visits.values.filter { $0.subscription == nil }.sorted { $0.id < $1.id }
            .map { visit -> JSONObject in
                [
                    "customer": .string(visit.customer), "id": .string(visit.id),
                    "price": .string(visit.price.lookupKey),
                    "status": .string(visit.paymentStatus), "quantity": .integer(visit.quantity),
                    "amount": .integer(visit.price.amount * visit.quantity),
                    "withdrawn": .integer(withdrawn(of: visit)),
                ]
            }
        return (subscribed + bought)
            .map { String(decoding: JSONValue.object($0).bytes, as: UTF8.self) }
    }
}

extension StripeBooks {
    private func charge(of payment: String?) -> SoldCharge? {
        charges.values.first { $0.payment == payment }
    }

    /// Whether all that was paid for `invoice` went back, by refunds or a lost dispute.
    private func isWithdrawn(_ invoice: SoldInvoice?) -> Bool {
        guard let charge = charge(of: invoice?.payment) else { return false }
        return charge.dispute == "lost" || charge.amount > 0 && charge.refunded == charge.amount
    }

    /// How many cents of what was bought once went back.
    private func withdrawn(of visit: SoldVisit) -> Int64 {
        guard let charge = charge(of: visit.payment) else { return 0 }
        return charge.dispute == "lost" ? charge.amount : charge.refunded
    }
}
