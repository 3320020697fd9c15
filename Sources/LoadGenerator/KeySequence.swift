import Glibc
import Randomness

/// Which accounts are asked about, one after the other.
package struct KeySequence: Sendable {
    /// How requests are spread over the accounts.
    package enum Distribution: String, CaseIterable, Sendable {
        /// Each account as often as any other.
        case uniform
        /// Few accounts often, most seldom: YCSB's zipf with exponent 0.99, scattered over the ids.
        case zipf
        /// Each account once, in order.
        case sequential
        /// Each account once, in an order without a pattern.
        case scattered
    }

    private let distribution: Distribution
    private let first: Int
    private let count: Int
    private var random: SplitMix64
    private var position = 0
    private let stride: Int
    private let draws: [UInt32]

    /// A sequence over `count` accounts from number `first` on.
    package init(_ distribution: Distribution, first: Int = 1, count: Int, seed: UInt64) {
        precondition(count > 0, "options ask for at least one account")
        self.distribution = distribution
        self.first = first
        self.count = count
        random = SplitMix64(seed: seed)
        stride = Self.stride(over: count)
        draws = distribution == .zipf ? Self.zipfDraws(count, seed: seed) : []
    }

    /// The number of the next account.
    package mutating func next() -> Int {
        switch distribution {
        case .uniform:
            // Multiply-shift instead of a division (Lemire 2019); the bias is below 2^-32.
            let product = random.next().multipliedFullWidth(by: UInt64(count))
            return first + Int(product.high)
        case .zipf:
            let draw = Int(draws[position])
            position = position + 1 == draws.count ? 0 : position + 1
            return first + draw
        case .sequential:
            let place = position
            position = position + 1 == count ? 0 : position + 1
            return first + place
        case .scattered:
            position += stride
            if position >= count { position -= count }
            return first + position
        }
    }

    /// A step that visits every place once: coprime to `count`, near its golden section.
    private static func stride(over count: Int) -> Int {
        func divisor(_ left: Int, _ right: Int) -> Int {
            right == 0 ? left : divisor(right, left % right)
        }
        var stride = max(1, Int(Double(count) * 0.618_033_988_749_895))
        while divisor(stride, count) != 1 { stride += 1 }
        return stride % count
    }

    /// Gray et al., "Quickly Generating Billion-Record Synthetic Databases" (1994), as in YCSB.
    private static func zipfDraws(_ count: Int, seed: UInt64) -> [UInt32] {
        let exponent = 0.99
        var random = SplitMix64(seed: seed ^ 0x7a69_7066)
        var zeta = 0.0
        for rank in 1...count { zeta += pow(Double(rank), -exponent) }
        let alpha = 1 / (1 - exponent)
        let zetaOfTwo = 1 + pow(2, -exponent)
        let eta =
            (1 - pow(2 / Double(count), 1 - exponent)) / (1 - zetaOfTwo / zeta)
        return (0..<LoadLimits.zipfDraws)
            .map { _ in
                let uniform = Double(random.next() >> 11) * 0x1p-53
                let share = uniform * zeta
                var rank = 0
                if share >= 1 {
                    let place = pow(eta * uniform - eta + 1, alpha)
                    rank = share < zetaOfTwo ? 1 : Int(Double(count) * place)
                }
                // Neighbours in rank are not neighbours on a page.
                return UInt32(SplitMix64.mixed(UInt64(rank)) % UInt64(count))
            }
    }
}
