import Entitlements
import Glibc
import Journal
import LMDB

/// The progress of a rebuild.
package struct RebuildProgress: Sendable {
    /// How many journal entries were absorbed.
    package let entries: Int
    /// Their share of the journal, from 0 to 1.
    package let share: Double
}

extension Ledger {
    /// Rebuilds data.mdb from the base and the journal, even if the old file is damaged, missing or
    /// of another journal.
    ///
    /// The daemon must be stopped. The new file is compared with the journal and then renamed to
    /// data.mdb; the old one is kept beside it under another name. A crash at any moment leaves
    /// either the old file or the new one.
    ///
    /// - Parameters:
    ///   - options: the ledger's directory and settings.
    ///   - source: the policy under which alarms are set.
    ///   - onProgress: called now and then.
    ///   - onStep: called at each step.
    /// - Returns: the result, and the new name of the old file; nil if there was none.
    /// - Throws: `.damaged` if base or journal is damaged; nothing is changed then.
    package static func rebuild(
        _ options: Options,
        under source: Policy.Source,
        onProgress: (RebuildProgress) -> Void = { _ in },
        onStep: (CompactionStep) -> Void = { _ in }
    ) throws(CompactionFailure) -> (report: CompactionReport, kept: String?) {
        do throws(any Error) {
            let lock = try DirectoryLock(directory: options.directory)
            defer { withExtendedLifetime(lock) {} }
            let old = options.directory + "/data.mdb"
            // SAFETY: access reads the path only.
            let isThere = access(old, F_OK) == 0
            let before = isThere ? try byteCount(of: old) : 0
            let group = before > 0 ? try groupApplied(options) : 0
            var kept: String?
            let report = try replaceViews(
                options,
                before,
                onStep,
                keep: { if isThere { kept = try keepViews(in: options.directory) } },
                { try makeViews(options, throughGroup: group, under: source, at: $0, onProgress) }
            )
            return (report, kept)
        } catch let failure as CompactionFailure {
            throw failure
        } catch {
            throw .ledger(LedgerFailure(error))
        }
    }

    /// The last group of the journal that the old views absorbed; 0 if they cannot tell.
    ///
    /// If the journal no longer has this group, it is damaged; that must not be taken for a torn
    /// tail.
    private static func groupApplied(_ options: Options) throws -> UInt64 {
        guard (try? Environment.inspect(directory: options.directory)) != nil,
            let environment = try? Environment.open(
                directory: options.directory,
                options: .init(mapSizeBytes: options.mapSizeBytes, isReadOnly: true)
            )
        else { return 0 }
        defer { environment.close() }
        guard let views = try? Views(reading: environment), !views.absent.contains(.meta),
            let state = try? environment.read({ try views.appliedState($0) })
        else { return 0 }
        // Views that were made from another journal say nothing about this one.
        let last = try options.journal.reading(appliedGroup: 0).entry(state.seq)
        return last.map { $0.moment == state.at.milliseconds } ?? true ? state.group : 0
    }

    /// Gives the old data.mdb a second name by a hard link, so that a data.mdb exists at every
    /// moment.
    private static func keepViews(in directory: String) throws -> String {
        let seconds = time(nil)
        for number in 0..<LedgerLimits.keptViewsMax {
            let suffix = number == 0 ? "" : "-\(number)"
            let name = "data.mdb.before-rebuild-\(seconds)\(suffix)"
            // SAFETY: link reads the paths only.
            if link("\(directory)/data.mdb", "\(directory)/\(name)") == 0 {
                try ErasureBook.flush(directory)
                return name
            }
            guard errno == EEXIST else { break }
        }
        throw LedgerFailure.isFull(errno)
            ? LedgerFailure.storageFull
            : .failed("keep \(directory)/data.mdb under another name: errno \(errno)")
    }

    /// Replays base and journal into scratch files, and copies the rows to `path`.
    private static func makeViews(
        _ options: Options,
        throughGroup group: UInt64,
        under source: Policy.Source,
        at path: String,
        _ onProgress: (RebuildProgress) -> Void
    ) throws {
        let workshop = String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
        var replica = try Replica(options, in: workshop)
        let journal = options.journal.reading(appliedGroup: max(group, replica.state.group))
        let bytesTotal = max(1, try journal.bytes())
        var (entries, bytes, isTold) = (0, 0, 0)
        try journal.read(after: replica.state.seq) { group, more in
            for entry in more { try replica.take(entry, in: group, under: source) }
            entries += more.count
            bytes += group.bytes
            guard entries - isTold >= LedgerLimits.replayEntriesMax else { return true }
            isTold = entries
            onProgress(.init(entries: entries, share: min(1, Double(bytes) / Double(bytesTotal))))
            return true
        }
        try replica.finish(under: source)
        try replica.nameRules()
        if options.isEnding() { throw LedgerFailure.shuttingDown }
        try replica.views.copy(to: path)
    }
}
