import Entitlements

/// The keys at hand, and whether to fetch others: all decisions, no socket.
package struct KeyRing: Sendable {
    private var set: KeySet?
    private var expires = Moment.distantPast
    private var asked: Moment?
    private var isMissingOne = false

    /// A ring without keys.
    package init() {}

    /// The keys that count at `now`; nil where none do.
    package func keys(at now: Moment) -> KeySet? { now < expires ? set : nil }

    /// Whether another set may have a key that is not here, so that it is worth fetching one.
    ///
    /// Once a minute it may: anybody can write a token with a name of their own.
    package mutating func mayLearn(at now: Moment) -> Bool {
        guard isOver(PlayLimits.unknownKeyPauseMilliseconds, at: now) else { return false }
        isMissingOne = true
        return true
    }

    /// Whether to fetch keys now: there are none that count, or one is missing.
    ///
    /// If so, that is remembered as an attempt.
    package mutating func fetch(at now: Moment) -> Bool {
        if keys(at: now) == nil {
            guard isOver(PlayLimits.keyFetchPauseMilliseconds, at: now) else { return false }
        } else {
            guard isMissingOne else { return false }
        }
        isMissingOne = false
        asked = now
        return true
    }

    /// Takes in what was fetched at `now`, with the headers of the answer.
    package mutating func keep(
        _ set: KeySet,
        cacheControl: String?,
        age: String?,
        at now: Moment
    ) {
        self.set = set
        isMissingOne = false
        let seconds = CacheLifetime.seconds(cacheControl: cacheControl, age: age)
        expires = now.advanced(byMilliseconds: seconds * 1_000)
    }

    /// Whether the last attempt is so long ago; a clock that was set back does not stop it.
    private func isOver(_ pause: Int64, at now: Moment) -> Bool {
        guard let asked, now >= asked else { return true }
        return now >= asked.advanced(byMilliseconds: pause)
    }
}
