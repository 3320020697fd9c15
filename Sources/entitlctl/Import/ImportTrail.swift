import EntitlementsClient
import JSON

/// What earlier imports did for one user: which keys the daemon still knows, and which others the
/// user's history tells of.
///
/// The history has no keys, so orders of an import write theirs into their reason.
struct ImportTrail: Sendable {
    /// What is known of the order under a key.
    enum Finding {
        /// Nobody made it.
        case open
        /// The daemon knows the key, and answers what it answered then.
        case known
        /// It was made, so long ago that the daemon has forgotten the key.
        case done
        /// Nobody can tell.
        case unknown(ClientError)
    }

    /// The keys of which nothing was found yet.
    private(set) var missing: Set<String>
    /// Whether the daemon does not know all parts of the balance, so that their number counts.
    var countsParts = false
    private var known: Set<String> = []
    private var done: Set<String> = []
    /// Why what was not found may have been done all the same.
    private var doubt: ClientError?
    /// Why the history was not read to its end.
    private(set) var failure: ClientError?
    /// In how many parts the balance was to be given; nil where nobody says so.
    private(set) var parts: Int?
    /// How many of these were given.
    private(set) var given = 0
    /// The position behind which the next page begins.
    private(set) var place: Int64 = 0

    /// The trail in which `keys` are looked for.
    init(of keys: [String]) { missing = Set(keys) }

    /// The reason of an order under `key`: `press, key import:grant:0`.
    static func reason(_ why: String, _ key: String) -> String { "\(why), key \(key)" }

    /// The reason of each part of a balance.
    static let partReason = "import"

    /// Why everything is taken before a balance is given in so many parts.
    static func reason(ofBalanceIn parts: Int) -> String { "\(partsBegin)\(parts)\(partsEnd)" }

    private static let partsBegin = "import of a balance in "
    private static let partsEnd = " parts"

    private static func parts(in reason: String) -> Int? {
        guard reason.hasPrefix(partsBegin) else { return nil }
        let number = reason.dropFirst(partsBegin.count).prefix { $0.isNumber }
        return Int(number)
    }

    /// What is known of the order under `key`.
    func finding(_ key: String) -> Finding {
        if known.contains(key) { return .known }
        if done.contains(key) { return .done }
        return doubt.map { .unknown($0) } ?? .open
    }

    /// Notes that the daemon knows a key.
    mutating func knows(_ key: String) {
        missing.remove(key)
        known.insert(key)
    }

    /// Notes that the history cannot be read.
    mutating func fails(_ error: ClientError) {
        doubt = error
        failure = error
    }

    /// Reads a page of the history; answers whether the next one has to be read.
    mutating func reads(_ page: JSONObject) -> Bool {
        if let oldest = page["oldest"]?.string { doubt = Self.pruned(before: oldest) }
        let events = page["events"]?.array ?? []
        for event in events {
            guard let reason = event["detail"]?["reason"]?.string else { continue }
            if reason == Self.partReason, event["cause"] == "credits_granted" { given += 1 }
            parts = parts ?? Self.parts(in: reason)
            guard let key = missing.first(where: { reason.hasSuffix(Self.reason("", $0)) })
            else { continue }
            missing.remove(key)
            done.insert(key)
        }
        // A position that stands still would be walked for ever.
        guard let last = events.last?["seq"]?.int64, last > place else { return false }
        place = last
        let areAllGiven = parts.map { given >= $0 } ?? false
        return !missing.isEmpty || countsParts && !areAllGiven
    }

    private static func pruned(before oldest: String) -> ClientError {
        ClientError(
            "history_pruned",
            "the history begins at \(oldest): nobody knows whether this was imported before",
            retryable: false
        )
    }
}
