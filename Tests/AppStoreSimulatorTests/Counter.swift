import CertificateAuthority
import Foundation
import JSON

@testable import AppStoreSimulator

/// A store with one customer, in which time passes only when told to.
struct Counter {
    static let start: Int64 = 1_790_000_000_000
    static let month: Int64 = 30 * 60_000

    var till: Till
    var customer: Subscriber

    /// A month takes 30 minutes: a day is a minute.
    init(_ environment: StoreEnvironment = .production, token: String? = Self.token) {
        let settings = StoreSettings(
            environment: environment,
            time: StoreTime(monthMilliseconds: Self.month)
        )
        till = Till(settings, now: Self.start)
        customer = Subscriber("alice", token: token, at: &till)
    }

    static let token = "7e3fb20b-4cdb-47cc-936d-99d65f608138"

    /// Lets so many days of the store pass.
    mutating func pass(days: Double) { till.now += Int64(days * 60_000) }

    mutating func act(
        _ action: StoreAction,
        _ words: (inout ActionWords) -> Void = { _ in }
    ) throws -> SimulatedNotification {
        var said = ActionWords()
        words(&said)
        till.now += 1
        return try customer.perform(action, said, &till)
    }

    /// A customer of the monthly paid plan.
    static func subscribed() throws -> Counter {
        var counter = Counter()
        _ = try counter.act(.subscribe) { $0.product = "paid.monthly" }
        return counter
    }
}

extension SimulatedNotification {
    /// The outer payload's one object, with nothing signed in it.
    var object: JSONObject { payload()[outer.member.key]?.object ?? [:] }
}

/// One chain for all tests.
enum Chain {
    static let authority = Result {
        try SigningAuthority.mint(
            validFrom: Counter.start - 86_400_000,
            validUntil: Counter.start + 3_650 * 86_400_000
        )
    }
}
