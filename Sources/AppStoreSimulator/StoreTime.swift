import Foundation

/// How long things take in this store: all shrinks by one factor, so that a month takes seconds.
///
/// Time is compressed, not faked: documents carry real moments of short periods.
package struct StoreTime: Codable, Hashable, Sendable, CustomStringConvertible {
    /// How long a month of 30 days takes.
    package let monthMilliseconds: Int64

    /// The store in which a month takes so long; at least a millisecond.
    package init(monthMilliseconds: Int64) {
        precondition(monthMilliseconds > 0, "a month takes some time")
        self.monthMilliseconds = monthMilliseconds
    }

    /// The month that `text` names, `500ms`, `5s`, `2m`, `1h` or `30d`; nil where it names none.
    package init?(_ text: String) {
        guard let milliseconds = Self.milliseconds(text), milliseconds > 0 else { return nil }
        self.init(monthMilliseconds: milliseconds)
    }

    /// The month as it is named, in the largest unit of which it is a whole number.
    package var description: String {
        let units: [(suffix: String, milliseconds: Int64)] = [
            ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000),
        ]
        let unit = units.first { monthMilliseconds % $0.milliseconds == 0 }
        guard let unit else { return "\(monthMilliseconds)ms" }
        return "\(monthMilliseconds / unit.milliseconds)\(unit.suffix)"
    }

    /// Not compressed.
    package static let real = StoreTime(monthMilliseconds: 30 * 24 * 3_600_000)

    /// What so many days take here.
    package func milliseconds(days: Int64) -> Int64 { milliseconds(hours: days * 24) }

    /// What so many hours take here; at least a millisecond.
    package func milliseconds(hours: Int64) -> Int64 {
        let hoursPerMonth: Int64 = 30 * 24
        return max(1, (hours * monthMilliseconds + hoursPerMonth / 2) / hoursPerMonth)
    }

    /// What a period takes here.
    package func milliseconds(_ period: Period) -> Int64 { milliseconds(days: period.days) }

    /// How long the store waits after an attempt that failed before the next one: 1, 12, 24, 48 and
    /// 72 hours in Production, and never again in the sandbox.
    package func retryDelays(_ environment: StoreEnvironment) -> [Int64] {
        switch environment {
        case .production: [1, 12, 24, 48, 72].map { milliseconds(hours: $0) }
        case .sandbox: []
        }
    }

    /// The wall clock, in ms since 1970.
    package static func now() -> Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

    /// Returns once the wall clock has passed `moment`.
    package static func wait(until moment: Int64) async throws {
        while true {
            let rest = moment - now()
            guard rest >= 0 else { return }
            try await Task.sleep(for: .milliseconds(rest + 1))
        }
    }

    /// A duration such as `1.5s`, in milliseconds.
    package static func milliseconds(_ text: String) -> Int64? {
        let units: [(suffix: String, milliseconds: Double)] = [
            ("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
        ]
        guard let unit = units.first(where: { text.hasSuffix($0.suffix) }),
            let count = Double(text.dropLast(unit.suffix.count)), count >= 0, count < 1e6
        else { return nil }
        return Int64((count * unit.milliseconds).rounded())
    }
}
