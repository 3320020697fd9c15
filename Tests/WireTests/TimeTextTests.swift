import Chance
import Foundation
import Testing
import Wire

@Suite struct TimeTextTests {
    @Test(
        arguments: [
            ("1970-01-01T00:00:00.000Z", 0), ("1969-12-31T23:59:59.999Z", -1),
            ("2026-02-15T10:00:00.000Z", 1_771_149_600_000),
            ("2000-02-29T12:34:56.789Z", 951_827_696_789),
            ("1900-03-01T00:00:00.000Z", -2_203_891_200_000),
            ("0000-01-01T00:00:00.000Z", -62_167_219_200_000),
            ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
        ] as [(String, Int64)]
    )
    func `known moments, both ways`(text: String, milliseconds: Int64) {
        #expect(TimeText.text(milliseconds) == text)
        #expect(TimeText.parse(text) == milliseconds)
    }

    @Test func `years outside four digits are written with a sign`() {
        #expect(TimeText.text(253_402_300_800_000) == "+010000-01-01T00:00:00.000Z")
        #expect(TimeText.text(-62_167_219_200_001) == "-000001-12-31T23:59:59.999Z")
        #expect(TimeText.text(.max) == "+292278994-08-17T07:12:55.807Z")
        #expect(TimeText.text(.min) == "-292275055-05-16T16:47:04.192Z")
    }

    @Test(
        arguments: [
            ("2026-02-15T10:00:00Z", 0), ("2026-02-15T10:00:00.5Z", 500),
            ("2026-02-15T10:00:00.12Z", 120),
            ("2026-02-15T10:00:00.1239Z", 123), ("2026-02-15T10:00:00.123456789Z", 123),
        ] as [(String, Int64)]
    )
    func `any number of decimals up to nine is read`(text: String, thousandths: Int64) {
        #expect(TimeText.parse(text) == 1_771_149_600_000 + thousandths)
    }

    @Test(arguments: [
        "", "2026-02-15", "2026-02-15T10:00:00", "2026-02-15T10:00:00+00:00",
        "2026-02-15 10:00:00Z",
        "2026-02-15t10:00:00Z", "2026-02-15T10:00:00z", "2026-02-30T10:00:00Z",
        "2025-02-29T00:00:00Z",
        "1900-02-29T00:00:00Z", "2026-00-15T10:00:00Z", "2026-13-15T10:00:00Z",
        "2026-02-00T10:00:00Z",
        "2026-02-15T24:00:00Z", "2026-02-15T10:60:00Z", "2026-06-30T23:59:60Z",
        "2026-02-15T10:00:00.Z",
        "2026-02-15T10:00:00.1234567890Z", "2026-02-15T10:00:00,5Z", "2026-02-15T10:00:00.5xZ",
        "+2026-02-15T10:00:00Z", "20260215T100000Z", " 2026-02-15T10:00:00Z",
        "２026-02-15T10:00:00Z",
    ])
    func `anything else is no time`(text: String) {
        #expect(TimeText.parse(text) == nil)
    }

    @Test func `agrees with Foundation's calendar`() {
        let seed = Seed.told()
        var state = seed
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        for _ in 0..<2_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            // After 1582, where Foundation's calendar is Gregorian too.
            let milliseconds = Int64(state >> 1) % 265_000_000_000_000 - 12_000_000_000_000
            let seconds = Double(milliseconds - (milliseconds % 1_000 + 1_000) % 1_000) / 1_000
            let whole = Date(timeIntervalSince1970: seconds).formatted(style)
            let text = TimeText.text(milliseconds)
            #expect(text.hasPrefix(String(whole.prefix(19))) || text.hasPrefix("+"))
            if !text.hasPrefix("+") { #expect(TimeText.parse(text) == milliseconds) }
        }
    }
}
