import Testing

@testable import AppStoreSimulator

struct WeatherTests {
    static let rough = Weather(
        drop: 0.3,
        delay: 0.5,
        delayMax: 40,
        duplicate: 0.2,
        reorder: 0.1,
        seed: 7
    )

    @Test func `the same seed has the same weather, another one has another`() {
        let fates = (0..<1_000).map { Self.rough.fate(of: $0) }
        // Asked in another order, each number keeps its fate.
        let again = (0..<1_000).reversed().map { Self.rough.fate(of: $0) }
        #expect(fates == again.reversed())
        var other = Self.rough
        other.seed = 8
        #expect(fates != (0..<1_000).map { other.fate(of: $0) })
    }

    @Test func `each probability is kept, and nothing is beyond its bound`() {
        let fates = (0..<4_000).map { Self.rough.fate(of: $0) }
        func share(_ happens: (Weather.Fate) -> Bool) -> Double {
            Double(fates.count(where: happens)) / Double(fates.count)
        }
        #expect(abs(share { $0.lostAttempts > 0 } - 0.3) < 0.05)
        #expect(abs(share { $0.delay > 0 } - 0.5) < 0.05)
        #expect(abs(share { $0.isDoubled } - 0.2) < 0.05)
        #expect(abs(share { $0.isOvertaken } - 0.1) < 0.05)
        #expect(fates.allSatisfy { (0...40).contains($0.delay) })
        #expect(fates.allSatisfy { $0.lostAttempts <= SimulatorLimits.attemptsMax })
    }

    @Test func `in fair weather nothing happens, and in the worst everything`() {
        #expect((0..<100).allSatisfy { Weather.fair.fate(of: $0) == Weather.Fate() })
        let worst = Weather(drop: 1, duplicate: 1, reorder: 1).fate(of: 1)
        #expect(worst.lostAttempts == SimulatorLimits.attemptsMax)
        #expect(worst.isDoubled && worst.isOvertaken)
    }
}
