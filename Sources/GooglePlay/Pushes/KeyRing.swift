import Entitlements

/// The present keys, and the decisions when to fetch others; it opens no socket.
package struct KeyRing: Sendable {
    private var set: KeySet?
    private var expires = Moment.distantPast
    private var asked: Moment?
    /// When an unknown key was looked for last.
    private var soughtUnknown: Moment?
    private var isMissingOne = false
    /// Whether the keys that were asked for have not come yet.
    private var isAwaiting = false

    /// Creates a ring without keys.
    package init() {}

    /// The keys that are valid at `now`; nil if there are none.
    package func keys(at now: Moment) -> KeySet? { now < expires ? set : nil }

    /// Whether to fetch the set again to find an unknown key.
    ///
    /// This is allowed once a minute, because anybody can send a token that names an unknown key;
    /// the fetches of a set that has expired do not count. Whoever sends one while the set is
    /// fetched waits for it, too.
    package mutating func mayLearn(at now: Moment) -> Bool {
        if isAwaiting, !Self.isOver(PlayLimits.keyFetchPauseMilliseconds, since: asked, at: now) {
            return true
        }
        let pause = PlayLimits.unknownKeyPauseMilliseconds
        guard Self.isOver(pause, since: soughtUnknown, at: now) else { return isMissingOne }
        (isMissingOne, soughtUnknown) = (true, now)
        return true
    }

    /// Whether to fetch keys now, because none is valid or one is missing.
    ///
    /// If so, the attempt is noted.
    package mutating func fetch(at now: Moment) -> Bool {
        if keys(at: now) == nil {
            let pause = PlayLimits.keyFetchPauseMilliseconds
            guard Self.isOver(pause, since: asked, at: now) else { return false }
        } else {
            guard isMissingOne else { return false }
        }
        (isMissingOne, isAwaiting) = (false, true)
        asked = now
        return true
    }

    /// Stores the keys that were fetched at `now`, with the headers of the answer.
    package mutating func keep(
        _ set: KeySet,
        cacheControl: String?,
        age: String?,
        at now: Moment
    ) {
        self.set = set
        (isMissingOne, isAwaiting) = (false, false)
        let seconds = CacheLifetime.seconds(cacheControl: cacheControl, age: age)
        expires = now.advanced(byMilliseconds: seconds * 1_000)
    }

    /// Whether `last` is at least `pause` ago; true also after the clock was set back.
    private static func isOver(_ pause: Int64, since last: Moment?, at now: Moment) -> Bool {
        guard let last, now >= last else { return true }
        return now >= last.advanced(byMilliseconds: pause)
    }
}
