import Entitlements
import LMDB

/// Brings near what the commands of a group will look up, so that their waits for memory overlap.
///
/// A hint, on which nothing depends. For one thread, like the snapshot that it is made for.
struct GroupPrefetch: ~Copyable {
    /// How many commands one run is good for: the lines of more would drive each other out.
    static let commandsMax = TablePrefetch.keysMax
    /// A user's id, a zero and a digest, or somewhat more.
    private static let keyBytesMax = Limits.userIDBytesMax + 64

    private var accounts: TablePrefetch
    private var settlements: TablePrefetch
    // SAFETY: freed in `deinit`; the keys of one run, each at its own place.
    private let keys: UnsafeMutableRawBufferPointer

    init(_ snapshot: Snapshot) throws(LMDBFailure) {
        let first = try TablePrefetch(snapshot.pooled, table: TableName.accounts.rawValue)
        let second = try TablePrefetch(snapshot.pooled, table: TableName.settlements.rawValue)
        accounts = first
        settlements = second
        keys = .allocate(byteCount: Self.commandsMax * Self.keyBytesMax, alignment: 8)
    }

    deinit { keys.deallocate() }

    /// Asks for the rows of the first `commandsMax` of `kinds`, as the snapshot is now.
    mutating func run(_ kinds: ArraySlice<Command.Kind>) {
        for (index, kind) in kinds.prefix(Self.commandsMax).enumerated() {
            guard let key = kind.keyed?.key else { continue }
            let bytes = Keys.settlement(key)
            let start = index * Self.keyBytesMax
            let place = UnsafeMutableRawBufferPointer(rebasing: keys[start..<start + bytes.count])
            place.copyBytes(from: bytes)
            // The key of a first answer begins with its user's.
            let user = UnsafeRawBufferPointer(rebasing: place[..<key.user.bytes.count])
            _ = accounts.add(user)
            _ = settlements.add(UnsafeRawBufferPointer(place))
        }
        accounts.run()
        settlements.run()
    }
}
