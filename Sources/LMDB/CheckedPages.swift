import CLMDB
import CLinux
import Glibc
import Synchronization

/// The pages of one data.mdb, each compared with its sum before LMDB follows it.
///
/// LMDB 0.9 believes what its pages say: one flipped bit, and it ends by a signal, or a user is not
/// there. So every page has a sum, in memory (`PageSums`) and in data.sums (`SumsFile`):
///
///  - P1. No byte is believed that was not compared. A small file is compared before LMDB opens it.
///    The map of a larger one is closed at first, and a piece of it is opened when somebody touches
///    it and its pages are what was written; otherwise the process ends with 65.
///  - P2. After each commit the trees before and after it are compared: the pages that it took get
///    sums, those that it gave up lose theirs. The change is on the disk before the next commit.
///  - P3. A key that is not there is proven so by comparing its path once more, and so is what
///    every write goes by: see `PathCheck`.
///  - P4. The pages that a commit gave up, which it was built on, are compared once more after it,
///    and it has taken none that was in use. Otherwise it is never believed.
///
/// Used by one thread at a time: the one that opens or writes. `map` may be asked for by any.
final class CheckedPages: @unchecked Sendable {
    // SAFETY: used by one thread at a time; `map` does not change once it is there.
    let path: String
    let sums: PageSums
    private let isReadOnly: Bool
    /// Nothing is compared: what is read was written by this process just now.
    let isScratch: Bool
    /// How much of the file was not compared before LMDB opened it.
    private let guardedBytes: Int
    private let mapBytes: Int
    private let mapped = Atomic<UnsafeRawPointer?>(nil)
    private var guardNumber: Int32 = -1
    /// The newest commit that the sums are of.
    private(set) var meta: StoreFile.Meta
    /// The sums of its meta page and of those of the two commits before.
    private var metas: [UInt32]
    private var file: SumsFile?
    /// A record that data.sums does not have yet.
    private var pending: [UInt8]?
    private var isFlushed = true
    private let tableNames = Mutex<[MDB_dbi: [UInt8]]>([:])

    /// The pages of the file at `path`, which LMDB has just opened and `inventory` was taken of.
    init(
        _ path: String,
        _ inventory: PageInventory?,
        mapBytes: Int,
        comparedBytesMax: Int,
        isReadOnly: Bool,
        isScratch: Bool = false
    ) throws(LMDBFailure) {
        self.path = path
        self.isScratch = isScratch
        self.isReadOnly = isReadOnly
        self.mapBytes = mapBytes
        let sumsPath = SumsFile.path(besides: path)
        if let inventory {
            meta = inventory.meta
            metas = inventory.contents.metas
            guardedBytes = inventory.byteCount > comparedBytesMax ? inventory.byteCount : 0
            if !isReadOnly {
                file =
                    inventory.contents.end > 0
                    ? try SumsFile(sumsPath, goingOnFrom: inventory.contents)
                    : try SumsFile(sumsPath, with: inventory.contents)
            }
        } else {
            guard let new = try PageFile(path) else { throw .damaged("\(path) is empty") }
            meta = try StoreFile.metas(of: new).newest
            metas = [meta.sum, 0, 0]
            guardedBytes = 0
            // Those of a file that is not there any more.
            if !isReadOnly { _ = unlink(sumsPath) }
        }
        sums = try PageSums(capacity: isScratch ? 1 : mapBytes / meta.pageBytes + 1)
        for (number, sum) in (inventory?.contents.sums ?? []).enumerated() where sum != 0 {
            sums[number] = sum
        }
    }

    deinit { detach() }

    /// The pages in memory; nil as long as the file has none but its meta pages.
    var map: MappedPages? {
        mapped.load(ordering: .acquiring)
            .map {
                MappedPages(
                    start: $0,
                    pageBytes: meta.pageBytes,
                    count: mapBytes / meta.pageBytes,
                    sums: sums
                )
            }
    }

    /// Remembers what the table `number` is called.
    func note(_ name: String, of number: MDB_dbi) {
        tableNames.withLock { $0[number] = Array(name.utf8) }
    }

    func names(of number: MDB_dbi) -> [UInt8]? { tableNames.withLock { $0[number] } }

    /// Finds the map, by where an entry of the main table lies in it, and guards it.
    func attach(_ environment: OpaquePointer) throws(LMDBFailure) {
        guard !isScratch, mapped.load(ordering: .relaxed) == nil,
            let start = try mapStart(environment)
        else { return }
        mapped.store(start, ordering: .releasing)
        var descriptor: Int32 = -1
        // SAFETY: the environment is open.
        try LMDBFailure.check(mdb_env_get_fd(environment, &descriptor), "file of \(path)")
        // SAFETY: map, descriptor and sums stay until `detach`, which comes before LMDB closes.
        guardNumber = linux_guard_begin(
            start,
            mapBytes,
            guardedBytes,
            meta.pageBytes,
            descriptor,
            sums.start,
            path
        )
        guard guardNumber >= 0 else { throw .ofLastCall("guard the map of \(path)") }
    }

    /// Ends the guard; what is not in data.sums by now is found by the next opening.
    func detach() {
        if guardNumber >= 0 { linux_guard_end(guardNumber) }
        guardNumber = -1
        mapped.store(nil, ordering: .releasing)
        try? settle()
    }

    private func mapStart(
        _ environment: OpaquePointer
    ) throws(LMDBFailure) -> UnsafeRawPointer? {
        var begun: OpaquePointer?
        // SAFETY: the environment is open; the transaction ends here.
        try LMDBFailure.check(
            mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &begun),
            "begin a transaction"
        )
        guard let begun else { return nil }
        defer { mdb_txn_abort(begun) }
        var main = MDB_dbi()
        // SAFETY: lmdb.h: without a name it is the table of the tables, which is always open.
        try LMDBFailure.check(mdb_dbi_open(begun, nil, 0, &main), "open the main table")
        let cursor = try Cursor(transaction: begun, table: Table(dbi: main))
        guard let key = try cursor.first()?.key.baseAddress else { return nil }
        // A page begins with its number, and this one was compared.
        let page = key - Int(bitPattern: key) % meta.pageBytes
        return page - Int(page.load(as: UInt64.self)) * meta.pageBytes
    }

    /// Has the record of the last commit on the disk; before the next one begins.
    func settle() throws(LMDBFailure) {
        guard !isReadOnly else { return }
        if let record = pending {
            try file?.append(record)
            pending = nil
        }
        if !isFlushed { try file?.flush() }
        isFlushed = true
    }

    /// Gives the pages that a commit took their sums, if there was a commit.
    ///
    /// Nothing is wrong with the commit where data.sums cannot be written: `settle` tries again.
    func noteCommit(_ environment: OpaquePointer) throws(LMDBFailure) {
        do throws(LMDBFailure) {
            try attach(environment)
            guard let map else { return }
            let present = try map.metas(path)
            guard present.newest.commit != meta.commit else { return }
            guard present.newest.commit == meta.commit + 1 else {
                throw .damaged("commit \(present.newest.commit) follows \(meta.commit)")
            }
            let count = min(Int(clamping: present.newest.lastPage) + 1, map.count)
            var difference = TreeDifference(map, pagesCount: count)
            do throws(LMDBFailure) {
                try difference.run(from: meta, to: present.newest)
                try difference.prove { [sums] in $0 < sums.capacity ? sums[$0] : 0 }
            } catch {
                refuse(present.newest)
                throw error
            }
            var changes = difference.removed.map { (page: UInt32($0), sum: UInt32(0)) }
            for page in difference.added {
                changes.append((UInt32(page), try map.sum(ofPage: page)))
            }
            for (page, sum) in changes { sums[Int(page)] = sum }
            meta = present.newest
            metas = [meta.sum, metas[0], metas[1]]
            pending = SumsFile.changes(meta.commit, metas, meta.pageBytes, changes)
            isFlushed = false
        } catch {
            throw error.named(path)
        }
        if file?.isLong ?? true, rewrite() { return }
        if let record = pending, (try? file?.append(record)) != nil { pending = nil }
    }

    /// Has the next opening refuse the commit of `built`, whatever its pages are then.
    ///
    /// Nothing is written to data.mdb any more: its newest meta page is not the one that is known.
    private func refuse(_ built: StoreFile.Meta) {
        let record = SumsFile.refusal(built.commit, built.pageBytes)
        // Where it cannot be written, the next opening compares the two commits itself.
        guard (try? file?.append(record)) != nil else { return }
        try? file?.flush()
    }

    /// Writes data.sums anew; answers whether that was possible.
    private func rewrite() -> Bool {
        let count = min(Int(clamping: meta.lastPage) + 1, sums.capacity)
        let contents = SumsFile.Contents(
            commit: meta.commit,
            metas: metas,
            pageBytes: meta.pageBytes,
            sums: (0..<count).map { sums[$0] },
            end: 0
        )
        guard let new = try? SumsFile(SumsFile.path(besides: path), with: contents) else {
            return false
        }
        file = new
        pending = nil
        isFlushed = true
        return true
    }
}
