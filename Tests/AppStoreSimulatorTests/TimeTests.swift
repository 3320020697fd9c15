import Foundation
import Testing

@testable import AppStoreSimulator

struct TimeTests {
    static let hour: Int64 = 3_600_000

    @Test func `Apple's schedule is 1, 12, 24, 48 and 72 hours after the attempt before`() {
        let delays = StoreTime.real.retryDelays(.production)
        #expect(delays == [1, 12, 24, 48, 72].map { $0 * Self.hour })
        #expect(StoreTime.real.retryDelays(.sandbox).isEmpty)
    }

    @Test func `a short month shrinks periods, grace and schedule by one factor`() throws {
        let time = try #require(StoreTime("5s"))
        #expect(time.monthMilliseconds == 5_000)
        #expect(time.milliseconds(Period(1, .month)) == 5_000)
        #expect(time.milliseconds(Period(1, .year)) == 60_000)
        #expect(time.milliseconds(Period(1, .week)) == 1_167)
        #expect(time.milliseconds(days: 16) == 2_667)
        // 5 s / 30 d: an hour takes 6.94 ms.
        #expect(time.retryDelays(.production) == [7, 83, 167, 333, 500])
    }

    @Test func `nothing takes no time at all`() throws {
        let time = try #require(StoreTime("1ms"))
        #expect(time.retryDelays(.production).allSatisfy { $0 >= 1 })
    }

    @Test(arguments: [
        ("500ms", 500), ("5s", 5_000), ("1.5s", 1_500), ("2m", 120_000), ("1h", 3_600_000),
        ("30d", 2_592_000_000),
    ])
    func `a month is named with its unit`(text: String, milliseconds: Int64) {
        #expect(StoreTime(text)?.monthMilliseconds == milliseconds)
    }

    @Test(arguments: ["500ms", "1500ms", "5s", "30s", "2m", "1h", "30d"])
    func `a month is shown as it is named`(text: String) {
        #expect(StoreTime(text)?.description == text)
    }

    @Test(arguments: ["", "5", "s", "-5s", "0s", "5 s", "1e99s", "nans", "0.1ms"])
    func `what is no duration is no month`(text: String) {
        #expect(StoreTime(text) == nil)
    }

    @Test(arguments: ["P3D", "P1W", "P2M", "P1Y"])
    func `a period reads as it is written`(text: String) throws {
        let period = try #require(Period(text))
        #expect(period.description == text)
        let copy = try JSONDecoder().decode([Period].self, from: JSONEncoder().encode([period]))
        #expect(copy == [period])
    }

    @Test(arguments: ["", "P", "P1", "1M", "P0D", "P-1D", "PM", "P1H", "P9999D"])
    func `what is no period is refused`(text: String) {
        #expect(Period(text) == nil)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([Period].self, from: Data("[\"\(text)\"]".utf8))
        }
    }

    @Test(arguments: [
        ("a.b,P1M,1,4990", Product(subscription: "a.b", Period(1, .month), rank: 1, price: 4_990)),
        ("a.b,consumable,990", Product(once: "a.b", .consumable, price: 990)),
        ("a.b,non-consumable,0", Product(once: "a.b", .nonConsumable, price: 0)),
        ("a.b,non-renewing,5", Product(once: "a.b", .nonRenewing, price: 5)),
    ])
    func `a product reads from a command line`(text: String, product: Product) {
        #expect(Product(commandLine: text) == product)
    }

    @Test(arguments: ["", "a", "a,P1M,1", "a,P1M,1,-5", "a,b,1,5", ",P1M,1,5", "a,consumable,1,5"])
    func `half a product is none`(text: String) {
        #expect(Product(commandLine: text) == nil)
    }
}
