import Foundation
import Synchronization

/// Where the store does business: it knows the settings and the time, and gives out numbers.
package struct Till: Sendable {
    /// What is sold, and how fast time runs.
    package let settings: StoreSettings
    /// The moment of what is done here, in ms since 1970.
    package var now: Int64
    /// The greatest number given out by any till of this process.
    private static let lastNumber = Mutex<Int64>(0)

    /// A till at the moment `now`; nil is the wall clock.
    package init(_ settings: StoreSettings, now: Int64? = nil) {
        self.settings = settings
        self.now = now ?? StoreTime.now()
    }

    /// Moves to the wall clock's moment; never back.
    package mutating func advance(to moment: Int64? = nil) {
        now = max(now, moment ?? StoreTime.now())
    }

    /// A number for a transaction: unique, numeric, greater than those before, with 15 digits in
    /// Production and 16 in the sandbox, where they begin with 2.
    mutating func nextNumber() -> String {
        let wanted = now * 100 + Int64.random(in: 0..<100)
        let number = Self.lastNumber.withLock { last in
            last = max(last + 1, wanted)
            return last
        }
        switch settings.environment {
        case .production: return String(number)
        case .sandbox: return String(2_000_000_000_000_000 + number)
        }
    }

    /// A UUID as Apple writes them.
    func nextUUID() -> String { UUID().uuidString.lowercased() }
}
