import LMDB

/// Finds views of LMDB that are held for long.
///
/// LMDB does not reuse a page that a view can still see, so a view that is never released makes
/// data.mdb grow with every change.
struct ViewWatch {
    /// Views that do not show the last commit, each with the time since when this is known.
    ///
    /// A reader that renews its view sees the last commit of that moment. So a view that is behind
    /// and shows the same commit at two looks was held all the time between them.
    private var behind: [HeldView: Int64] = [:]
    private var told: Set<HeldView> = []

    /// How long the oldest view has been held, as far as is known.
    private(set) var oldestMilliseconds: Int64 = 0

    /// Takes note of the views that are held.
    ///
    /// - Parameters:
    ///   - held: all views that are held now.
    ///   - lastCommit: the newest commit, read before `held`.
    ///   - now: milliseconds of a clock that never jumps.
    /// - Returns: views that have become too old; each is returned once.
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
