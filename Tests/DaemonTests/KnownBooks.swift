import JSON

/// What a daemon knows of purchases, without what depends on how it came to know it: moments of
/// signing, digests, places in the journal.
struct KnownBooks: Equatable {
    /// Every subscription and purchase, by its key.
    private(set) var purchases: [String: JSONValue] = [:]
    /// getStatus of every account.
    private(set) var statuses: [String: JSONValue] = [:]
    /// getCredits of every account.
    private(set) var credits: [String: JSONValue] = [:]

    /// What `daemon` knows now.
    init(of daemon: TestDaemon) throws {
        for row in try daemon.rows(of: "subscriptions") {
            guard let value = row["value"], let id = value["originalTransactionId"]?.string else {
                throw DaemonProblem("a row without a value")
            }
            purchases[id] = Self.told(value)
        }
        for row in try daemon.rows(of: "accounts") {
            guard let user = row["value"]?["userId"]?.string else {
                throw DaemonProblem("a row without a user")
            }
            statuses[user] = Self.told(try daemon.status(user))
            let parameters: JSONObject = ["userId": .string(user)]
            credits[user] = Self.told(try daemon.call("getCredits", parameters))
        }
    }

    /// In words: what differs.
    func differences(from other: KnownBooks) -> [String] {
        Self.differences(purchases, other.purchases) + Self.differences(statuses, other.statuses)
            + Self.differences(credits, other.credits)
    }

    private static func differences(
        _ one: [String: JSONValue],
        _ other: [String: JSONValue]
    ) -> [String] {
        Set(one.keys).union(other.keys).sorted().filter { one[$0] != other[$0] }
            .map { "\($0): \(text(one[$0])) | \(text(other[$0]))" }
    }

    private static func text(_ value: JSONValue?) -> String {
        value.map { String(decoding: $0.bytes, as: UTF8.self) } ?? "nothing"
    }

    /// When documents were signed depends on which of them were heard.
    private static let heard = [
        "signedDate", "digest", "seq", "firstSignedDate", "unrevokedSignedDate",
    ]

    /// What a row says, whichever versions of its documents were heard.
    static func told(_ value: JSONValue) -> JSONValue {
        if let array = value.array {
            return .array(array.map(told).sorted { text($0) < text($1) })
        }
        guard let object = value.object else { return value }
        let members = object.members.filter { !heard.contains($0.key) }
        return .object(JSONObject(members.map { .init(key: $0.key, value: told($0.value)) }))
    }
}
