import Entitlements
import Foundation
import GooglePlay
import Testing

/// Timestamps of RFC 3339, as Google's JSON has them.
struct TimeTests {
    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2026-11-25T08:00:00Z", 1_795_593_600_000),
            ("2026-11-25T08:00:00.1Z", 1_795_593_600_100),
            ("2026-11-25T08:00:00.123Z", 1_795_593_600_123),
            ("2026-11-25T08:00:00.123999Z", 1_795_593_600_123),
            ("2026-11-25T08:00:00.000000001Z", 1_795_593_600_000),
            ("2026-11-25t08:00:00z", 1_795_593_600_000),
            ("2026-11-25T10:00:00+02:00", 1_795_593_600_000),
            ("2026-11-25T02:30:00-05:30", 1_795_593_600_000),
            ("2024-02-29T12:00:00Z", 1_709_208_000_000),
            ("2016-12-31T23:59:60Z", 1_483_228_799_000),
            ("2000-03-01T00:00:00Z", 951_868_800_000),
            ("9999-12-31T23:59:59Z", 253_402_300_799_000),
        ] as [(String, Int64)]
    )
    func `a time is read to the millisecond`(text: String, milliseconds: Int64) {
        #expect(PlayTime.moment(text) == Moment(milliseconds))
    }

    @Test(arguments: [
        "", "2026-11-25", "2026-11-25T08:00:00", "2026-11-25 08:00:00Z", "2026-13-01T00:00:00Z",
        "2026-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "2026-04-31T00:00:00Z",
        "2026-11-25T24:00:00Z", "2026-11-25T08:60:00Z", "2026-11-25T08:00:61Z",
        "2026-11-25T08:00:00.Z", "2026-11-25T08:00:00.1234567890Z", "2026-11-25T08:00:00,1Z",
        "2026-11-25T08:00:00Zx", "2026-11-25T08:00:00+0200", "26-11-25T08:00:00Z",
        "0000-01-01T00:00:00Z", "2026-00-10T00:00:00Z", "2026-11-00T00:00:00Z",
    ])
    func `anything else is no time`(text: String) {
        #expect(PlayTime.moment(text) == nil)
    }

    @Test func `every day of 400 years is the one that Foundation names`() throws {
        let formatter = ISO8601DateFormatter()
        for day in stride(from: Int64(0), to: 146_097, by: 1) {
            let date = Date(timeIntervalSince1970: Double(day * 86_400))
            guard PlayTime.moment(formatter.string(from: date)) == Moment(day * 86_400_000) else {
                Issue.record("day \(day)")
                return
            }
        }
    }
}
