import Foundation

/// Where the randomness of a test comes from.
package enum Seed {
    /// The seed of `ENTITLD_SEED`, and without one always the same: whether a change is sound must
    /// not depend on luck.
    ///
    /// `make soak` tries others. Printed, so that a failure can be repeated; each round of a test
    /// has its own numbers.
    package static func told(round: Int = 0) -> UInt64 {
        let chosen = ProcessInfo.processInfo.environment["ENTITLD_SEED"].flatMap { UInt64($0) }
        let seed = chosen ?? 0x2026_0301
        print("seed \(seed), round \(round)")
        return seed &+ UInt64(round) << 32
    }
}
