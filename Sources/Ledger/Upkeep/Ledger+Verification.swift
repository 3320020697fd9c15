import Entitlements
import Journal
import LMDB

extension Ledger {
    /// Replays the journal, starting from the base if there is one, up to the position of the
    /// views, and compares every view with the result; then reads the rest of the journal.
    ///
    /// Before that it walks the trees of views and base from their roots, because an intact row
    /// that no look-up finds is damage too.
    ///
    /// No file of the directory is changed. The replayed rows are kept in scratch files on the file
    /// system of `scratch`, which need about as much space as the views, and little memory.
    ///
    /// - Parameters:
    ///   - options: the ledger's directory and settings.
    ///   - scratch: a writable directory; nil for the ledger's own.
    /// - Returns: what was compared, and the differences.
    /// - Throws: `.storageFull` if there is no room in `scratch`; `.shuttingDown` if it was told to
    ///   end.
    package static func verify(
        _ options: Options,
        scratch: String? = nil
    ) throws(LedgerFailure) -> VerificationReport {
        do throws(any Error) {
            // Held to the end, so that no process writes meanwhile.
            let lock = try DirectoryLock(reading: options.directory)
            defer { withExtendedLifetime(lock) {} }
            try refuseEmptiedViews(options)
            return try verify(
                options,
                viewsIn: options.directory,
                scratch: scratch ?? options.directory
            )
        } catch {
            throw LedgerFailure(error)
        }
    }

    /// Verifies views that may be in another directory; the caller holds the lock.
    static func verify(
        _ options: Options,
        viewsIn viewsDirectory: String,
        scratch: String
    ) throws(LedgerFailure) -> VerificationReport {
        do throws(any Error) {
            try Environment.inspect(directory: viewsDirectory)
            let environment = try Environment.open(
                directory: viewsDirectory,
                options: .init(mapSizeBytes: options.mapSizeBytes, isReadOnly: true)
            )
            defer { environment.close() }
            let views = try Views(reading: environment)
            let state =
                views.absent.contains(.meta)
                ? AppliedState() : try environment.read { try views.appliedState($0) }
            var report = VerificationReport()
            report.applied = state.seq
            report.rules = state.rules
            let bytes = try byteCount(of: viewsDirectory + "/data.mdb")
            var replica = try Replica(options, in: scratch, besides: bytes)
            guard replica.state.seq <= state.seq else {
                throw LedgerFailure.damaged("the views end before the base does")
            }
            let alarms = try AlarmAudit(views, beside: replica)
            replica.namesAreFirst = state.secret == nil
            try replay(options, on: &replica, through: state, alarms, &report)
            for difference in replica.findings.differences { report.differ(difference) }
            report.heldBytesMax = replica.heldBytesMax
            if report.lastSeq < state.seq { report.differ("the journal ends before the views do") }
            if replica.state.group != state.group {
                report.differ("meta: the group applied differs")
            }
            if replica.state.at != state.at || replica.state.now != state.now {
                report.differ("meta: the moment applied differs")
            }
            let comparison = ViewComparison(views, replica, state, options.isEnding)
            for table in TableName.allCases where table.row.isCompared {
                try comparison.run(table, &report)
            }
            let passed = max(state.at, Moment(options.clock.wall()))
            try alarms.compare(at: passed, &report, options.isEnding)
            report.rows.append((.alarms, alarms.count))
            try comparison.runMeta(&report)
            return report
        } catch {
            throw LedgerFailure(error)
        }
    }

    /// Absorbs in `replica` the entries that the views reflect, and reads the entries after them.
    private static func replay(
        _ options: Options,
        on replica: inout Replica,
        through state: AppliedState,
        _ alarms: AlarmAudit,
        _ report: inout VerificationReport
    ) throws {
        report.lastSeq = replica.state.seq
        var last = report.lastSeq
        let journal = options.journal.reading(appliedGroup: state.group)
        try journal.read(after: replica.state.seq) { group, entries in
            for entry in entries {
                last = entry.seq
                guard entry.seq <= state.seq else {
                    if options.isEnding() { throw LedgerFailure.shuttingDown }
                    _ = try EntryBody.events(of: entry)
                    continue
                }
                try replica.take(entry, in: group, under: nil) { try alarms.take($0) }
            }
            return true
        }
        try replica.finish(under: nil) { try alarms.take($0) }
        report.lastSeq = last
    }
}
