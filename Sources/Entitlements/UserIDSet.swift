/// Some user ids, to be asked whether a lent one is among them without a copy of it.
///
/// A set of `UserID` would need one made, and its bytes allocated, for each question.
struct UserIDSet: Sendable {
    /// The bytes of all of them, one behind the other, in the order of the ids.
    private let bytes: [UInt8]
    /// Where each one ends.
    private let ends: [Int]

    /// The set of these users.
    init(_ users: Set<UserID>) {
        var bytes: [UInt8] = []
        var ends: [Int] = []
        for user in users.sorted() {
            bytes += user.bytes
            ends.append(bytes.count)
        }
        self.bytes = bytes
        self.ends = ends
    }

    /// Whether the user with exactly these bytes is among them; a binary search, no allocation.
    func contains(_ user: UnsafeRawBufferPointer) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                let start = middle == 0 ? 0 : ends[middle - 1]
                // SAFETY: the ends rise and the last one is the number of bytes.
                let candidate = UnsafeRawBufferPointer(rebasing: bytes[start..<ends[middle]])
                switch Self.order(of: user, candidate) {
                case 0: return true
                case ..<0: high = middle
                default: low = middle + 1
                }
            }
            return false
        }
    }

    /// Below, at or above zero as `left` stands before, at or behind `right` in the order of ids.
    private static func order(
        of left: UnsafeRawBufferPointer,
        _ right: UnsafeRawBufferPointer
    ) -> Int {
        for index in 0..<min(left.count, right.count) where left[index] != right[index] {
            return left[index] < right[index] ? -1 : 1
        }
        return left.count - right.count
    }
}
