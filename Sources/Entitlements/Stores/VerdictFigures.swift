/// What a storefront has judged since the process began.
package struct VerdictFigures: Hashable, Sendable {
    /// Documents that found their certificate chain remembered.
    package var chainsRemembered = 0
    /// Those that did not.
    package var chainsVerified = 0
    /// Documents that are genuine.
    package var genuine = 0
    /// Documents that are not.
    package var forged = 0
    /// Documents of which that could not be said.
    package var undecided = 0

    /// None.
    package init() {}

    /// Adds those of another storefront.
    package mutating func add(_ other: VerdictFigures) {
        chainsRemembered += other.chainsRemembered
        chainsVerified += other.chainsVerified
        genuine += other.genuine
        forged += other.forged
        undecided += other.undecided
    }
}
