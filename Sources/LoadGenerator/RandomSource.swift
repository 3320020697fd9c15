/// SplitMix64 (Steele, Lea, Flood 2014): 64 bits from a counter, the same for the same seed.
package struct RandomSource: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// A source that begins with this seed.
    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        return Self.mixed(state)
    }

    /// The output function: a bijection of 64 bits that leaves no pattern.
    package static func mixed(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }
}
