import Entitlements
import JSON

/// The progress of the reconciler, kept over a restart.
struct Marks: Hashable, Sendable {
    /// A sweep over all active subscriptions.
    struct Sweep: Hashable, Sendable {
        /// When it began.
        var startedAt: Moment
        /// The last subscription that was handled; nil at the beginning.
        var cursor: SubscriptionKey?
        /// Whether it was completed.
        var isCompleted: Bool
    }

    /// When the last completed walk of the notification history began.
    var walks: [StoreScope: Moment] = [:]
    /// The same for walks over failed deliveries only.
    var failureWalks: [StoreScope: Moment] = [:]
    /// The last sweep, or the one under way.
    var sweep: Sweep?
    /// Subscriptions whose history must still be read: an answer about them showed that more
    /// happened than is known, and the history could not be read then.
    var histories: Set<SubscriptionKey> = []

    init() {}

    /// The marks in `bytes`, or nil if these are not marks of this version.
    init?(_ bytes: [UInt8]) {
        guard let value = try? JSONValue.parse(bytes), value["version"]?.int64 == Self.version,
            let walks = Self.moments(value["walks"]),
            let failureWalks = Self.moments(value["failureWalks"])
        else { return nil }
        self.walks = walks
        self.failureWalks = failureWalks
        // Files of older releases have no such member.
        for item in value["histories"]?.array ?? [] {
            guard let key = item.string.flatMap({ SubscriptionKey($0) }) else { return nil }
            histories.insert(key)
        }
        guard let sweep = value["sweep"], !sweep.isNull else { return }
        guard let startedAt = sweep["startedAt"]?.int64, let done = sweep["completed"]?.bool else {
            return nil
        }
        var cursor: SubscriptionKey?
        if let text = sweep["cursor"]?.string {
            guard let key = SubscriptionKey(text) else { return nil }
            cursor = key
        }
        self.sweep = Sweep(startedAt: Moment(startedAt), cursor: cursor, isCompleted: done)
    }

    /// The marks as they are stored: one JSON object.
    var bytes: [UInt8] {
        var object: JSONObject = [
            "version": .integer(Self.version),
            "walks": Self.value(walks),
            "failureWalks": Self.value(failureWalks),
        ]
        if !histories.isEmpty {
            object["histories"] = .array(histories.sorted().map { .string($0.description) })
        }
        if let sweep {
            object["sweep"] = [
                "startedAt": .integer(sweep.startedAt.milliseconds),
                "cursor": sweep.cursor.map { .string($0.description) } ?? .null,
                "completed": .bool(sweep.isCompleted),
            ]
        }
        return JSONValue.object(object).bytes
    }

    private static let version: Int64 = 1

    private static func value(_ moments: [StoreScope: Moment]) -> JSONValue {
        let members = moments.sorted { $0.key < $1.key }
            .map {
                JSONObject.Member(
                    key: $0.key.description,
                    value: .integer($0.value.milliseconds)
                )
            }
        return .object(JSONObject(members))
    }

    private static func moments(_ value: JSONValue?) -> [StoreScope: Moment]? {
        guard let object = value?.object else { return nil }
        var moments: [StoreScope: Moment] = [:]
        for member in object.members {
            guard let scope = StoreScope(member.key), let moment = member.value.int64
            else { return nil }
            moments[scope] = Moment(moment)
        }
        return moments
    }
}
