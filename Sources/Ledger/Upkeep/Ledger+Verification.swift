import Entitlements
import Journal
import LMDB

extension Ledger {
    /// Replays the journal, from the base on where there is one, and compares every view with the
    /// result, at the position where the views are; then reads the tail to its end.
    ///
    /// Before that it walks the trees of views and base from their roots: a row that no look-up
    /// would find is damage, though it is what was stored.
    ///
    /// Every file of the directory stays as it is. What the journal makes stands in scratch files
    /// on the file system of `scratch`, with about as much room as the views take, and little of it
    /// in memory.
    ///
    /// - Parameters:
    ///   - options: where.
    ///   - scratch: a directory that can be written; nil: that of the ledger.
    /// - Returns: what was compared, and what does not agree.
    /// - Throws: `.storageFull` where there is no room in `scratch`; `.shuttingDown` where it was
    ///   told to end.
    package static func verify(
        _ options: Options,
        scratch: String? = nil
    ) throws(LedgerFailure) -> VerificationReport {
        do throws(any Error) {
            // Held to the end: nobody writes meanwhile.
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

    /// The same under a lock that the caller holds, of views that may stand somewhere else.
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

    /// Has `replica` absorb what the views reflect, and reads the tail behind it.
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
                try replica.take(entry, in: group.number, under: nil) { try alarms.take($0) }
            }
            return true
        }
        try replica.finish(under: nil) { try alarms.take($0) }
        report.lastSeq = last
    }
}
