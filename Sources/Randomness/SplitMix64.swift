// Randomness makes numbers that look like chance and are the same again for the same seed.
//
// In reading order:
//   SplitMix64   a generator with 8 bytes of state
//
// Its laws:
//   1. One seed gives one sequence, in every version of Swift and on every machine.
//
// It never serves for keys, tokens or anything that nobody may guess.

/// Random numbers that a seed repeats: a counter and a mixing function (Steele, Lea and Flood,
/// "Fast splittable pseudorandom number generators", 2014).
///
/// For simulators, loads and tests. It is no source of secrets.
@usableFromInline
package struct SplitMix64: RandomNumberGenerator, Sendable {
    @usableFromInline var state: UInt64

    /// The generator of this seed.
    @inlinable
    package init(seed: UInt64) { state = seed }

    /// One of many generators of a seed, independent of the others.
    package init(seed: UInt64, stream: UInt64) {
        var mixer = SplitMix64(seed: stream)
        state = seed ^ mixer.next()
    }

    /// The next 64 bits.
    @inlinable
    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        return Self.mixed(state)
    }

    /// The mixing function: a bijection of 64 bits that leaves no pattern.
    @inlinable
    package static func mixed(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }

    /// True with this probability.
    package mutating func happens(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &self) < probability
    }
}
