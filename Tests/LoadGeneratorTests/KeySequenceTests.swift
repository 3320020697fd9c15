import LoadGenerator
import Testing

struct KeySequenceTests {
    @Test(arguments: [1, 2, 3, 10, 97, 1_000, 4_096, 99_991])
    func `scattered and sequential orders visit every account once`(count: Int) {
        for distribution in [KeySequence.Distribution.scattered, .sequential] {
            var sequence = KeySequence(distribution, first: 7, count: count, seed: 1)
            let seen = Set((0..<count).map { _ in sequence.next() })
            #expect(seen.count == count)
            #expect(seen.min() == 7)
            #expect(seen.max() == 7 + count - 1)
        }
    }

    @Test func `a sequential order begins with the first account`() {
        var sequence = KeySequence(.sequential, first: 41, count: 3, seed: 9)
        #expect((0..<4).map { _ in sequence.next() } == [41, 42, 43, 41])
    }

    @Test func `uniform draws reach all accounts about equally often`() {
        let seed: UInt64 = 20_261
        print("seed \(seed)")
        var sequence = KeySequence(.uniform, count: 100, seed: seed)
        var counts = [Int](repeating: 0, count: 101)
        for _ in 0..<100_000 { counts[sequence.next()] += 1 }
        #expect(counts[0] == 0)
        // Ten standard deviations of a binomial count.
        #expect(counts[1...].allSatisfy { abs($0 - 1_000) < 320 })
    }

    @Test func `zipf draws prefer few accounts, and stay within the range`() {
        let seed: UInt64 = 20_262
        print("seed \(seed)")
        var sequence = KeySequence(.zipf, count: 10_000, seed: seed)
        var counts: [Int: Int] = [:]
        for _ in 0..<200_000 { counts[sequence.next(), default: 0] += 1 }
        #expect(counts.keys.allSatisfy { (1...10_000).contains($0) })
        let most = counts.values.sorted(by: >)
        // Zeta(10000, 0.99) is near 10.2: the first rank has about a tenth of all.
        #expect((16_000...24_000).contains(most[0]), "\(most[0])")
        #expect(most.prefix(100).reduce(0, +) > 90_000)
        #expect(counts.count > 5_000)
    }

    @Test func `the same seed draws the same accounts`() {
        for distribution in KeySequence.Distribution.allCases {
            var one = KeySequence(distribution, count: 1_000, seed: 5)
            var other = KeySequence(distribution, count: 1_000, seed: 5)
            #expect((0..<100).map { _ in one.next() } == (0..<100).map { _ in other.next() })
        }
    }
}
