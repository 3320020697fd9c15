import Entitlements
import LMDB

/// Prefetches the rows that the commands of a group will look up, so that their waits for memory
/// overlap.
///
/// The users' accounts are already prefetched by the thread that read the requests. This is a hint:
/// no result depends on it. To be used on one thread, like its snapshot.
struct GroupPrefetch: ~Copyable {
    /// How many commands one run covers; with more, the prefetched cache lines would evict each
    /// other.
    static let commandsMax = TablePrefetch.keysMax

    private var settlements: TablePrefetch
    // SAFETY: freed in `deinit`; the keys of one run, each at its own place.
    private let keys: UnsafeMutableRawBufferPointer

    init(_ snapshot: Snapshot) throws(LMDBFailure) {
        settlements = try TablePrefetch(snapshot.pooled, table: TableName.settlements.rawValue)
        keys = .allocate(byteCount: Self.commandsMax * SettlementRow.keyBytesMax, alignment: 8)
    }

    deinit { keys.deallocate() }

    /// Prefetches the rows of the first `commandsMax` of `kinds` in the present snapshot.
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
