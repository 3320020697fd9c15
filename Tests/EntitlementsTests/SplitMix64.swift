/// Random numbers that a seed repeats (Steele, Lea and Flood, 2014).
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// True in one of `count` cases, on the average.
    mutating func isOne(in count: Int) -> Bool { pick(0..<count) == 0 }

    /// A number below `range`'s end; cheaper than the library's in a debug build.
    mutating func pick(_ range: Range<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.count))
    }

    /// One of `elements`.
    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[pick(0..<elements.count)]
    }
}
