import LMDB

/// Finds views of LMDB that are held for long.
///
/// LMDB uses no page again that a view can see, so a view that somebody forgot makes data.mdb grow
/// with every change.
struct ViewWatch {
    /// Views that do not show the last commit, and since when they are known not to.
    ///
    /// A reader that renewed its view would see what was the last commit then. So a view that is
    /// behind at two looks, at the same commit, was held all the time between them.
    private var behind: [HeldView: Int64] = [:]
    private var told: Set<HeldView> = []

    /// How long the oldest view is held, as far as is known.
    private(set) var oldestMilliseconds: Int64 = 0

    /// Takes in which views are held.
    ///
    /// - Parameters:
    ///   - held: all of them.
    ///   - lastCommit: the newest commit, asked for before them.
    ///   - now: milliseconds of a clock that never jumps.
    /// - Returns: views that have become too old; each is named once.
    mutating func look(
        at held: [HeldView],
        lastCommit: Int,
        _ now: Int64
    ) -> [HeldView] {
        var still: [HeldView: Int64] = [:]
        for view in held where view.commit < lastCommit { still[view] = behind[view] ?? now }
        behind = still
        oldestMilliseconds = now - (still.values.min() ?? now)
        told.formIntersection(still.keys)
        let old = still.filter { now - $0.value >= LedgerLimits.viewAgeMilliseconds }.keys
        return old.filter { told.insert($0).inserted }
            .sorted { ($0.commit, $0.process) < ($1.commit, $1.process) }
    }
}
