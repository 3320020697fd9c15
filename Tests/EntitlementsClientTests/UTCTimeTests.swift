import FoundationEssentials
import Testing

@testable import EntitlementsClient

struct UTCTimeTests {
    @Test func `a time is read to the millisecond`() {
        let date = UTCTime.date("2026-02-15T10:00:00.123Z")
        #expect(date?.timeIntervalSince1970 == 1_771_149_600.123)
    }

    @Test func `every millisecond of a second goes there and back`() {
        for millisecond in 0..<1_000 {
            let digits = String(1_000 + millisecond).dropFirst()
            let text = "2026-02-15T10:00:00.\(digits)Z"
            #expect(UTCTime.date(text).map(UTCTime.text) == text)
        }
    }

    @Test(arguments: ["", "tomorrow", "2026-13-01T00:00:00.000Z"])
    func `what is no time is nil`(text: String) {
        #expect(UTCTime.date(text) == nil)
    }
}
