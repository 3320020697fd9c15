import Entitlements
import LMDB

/// Brings near what the commands of a group will look up, so that their waits for memory overlap.
///
/// Their users' accounts are near already: the thread that read the requests asked for them. A
/// hint, on which nothing depends. For one thread, like the snapshot that it is made for.
struct GroupPrefetch: ~Copyable {
    /// How many commands one run is good for: the lines of more would drive each other out.
    static let commandsMax = TablePrefetch.keysMax

    private var settlements: TablePrefetch
    // SAFETY: freed in `deinit`; the keys of one run, each at its own place.
    private let keys: UnsafeMutableRawBufferPointer

    init(_ snapshot: Snapshot) throws(LMDBFailure) {
        settlements = try TablePrefetch(snapshot.pooled, table: TableName.settlements.rawValue)
        keys = .allocate(byteCount: Self.commandsMax * SettlementRow.keyBytesMax, alignment: 8)
    }

    deinit { keys.deallocate() }

    /// Asks for the rows of the first `commandsMax` of `kinds`, as the snapshot is now.
    mutating func run(_ kinds: ArraySlice<Command.Kind>) {
        for (index, kind) in kinds.prefix(Self.commandsMax).enumerated() {
            guard let key = kind.keyed?.key else { continue }
            // SAFETY: the keys have room for `commandsMax` keys of the greatest length.
            let room = UnsafeMutableRawBufferPointer(
                rebasing: keys[(index * SettlementRow.keyBytesMax)...]
                    .prefix(SettlementRow.keyBytesMax)
            )
            let count = SettlementRow.write(key: key, to: room)
            _ = settlements.add(UnsafeRawBufferPointer(rebasing: room[..<count]))
        }
        settlements.run()
    }
}
