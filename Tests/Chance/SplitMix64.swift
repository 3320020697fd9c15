/// Random numbers that a seed repeats (Steele, Lea and Flood, 2014).
package struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    /// A generator whose seed is told.
    package static func told() -> SplitMix64 { SplitMix64(seed: Seed.told()) }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
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
