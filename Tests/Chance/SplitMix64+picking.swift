// Whoever takes randomness from a seed that is told needs the generator, too.
@_exported import Randomness

extension SplitMix64 {
    /// A generator whose seed is told.
    package static func told(round: Int = 0) -> SplitMix64 {
        SplitMix64(seed: Seed.told(round: round))
    }

    /// A number of `range`; cheaper than the library's in a debug build.
    package mutating func pick(_ range: Range<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.count))
    }

    /// A number below `count`.
    package mutating func pick(_ count: Int) -> Int { pick(0..<count) }

    /// One of `elements`.
    package mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[pick(elements.count)]
    }

    /// True in one of `count` cases, on the average.
    package mutating func isOne(in count: Int) -> Bool { pick(count) == 0 }

    /// True in half of all cases.
    package mutating func chance() -> Bool { next() & 1 == 0 }
}
