/// A small generator with a seed, so that a run can be had again.
package struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// The generator of this seed.
    package init(seed: UInt64) { state = seed }

    /// One of many generators of a seed, independent of the others.
    package init(seed: UInt64, stream: UInt64) {
        var mixer = SplitMix64(seed: stream)
        state = seed ^ mixer.next()
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// True with this probability.
    mutating func happens(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &self) < probability
    }
}
