import Fixtures
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
            purchases[id] = JSONValue.told(Self.withoutRenewalDate(value))
        }
        for row in try daemon.rows(of: "accounts") {
            guard let user = row["value"]?["userId"]?.string else {
                throw DaemonProblem("a row without a user")
            }
            statuses[user] = JSONValue.told(try daemon.status(user))
            let parameters: JSONObject = ["userId": .string(user)]
            credits[user] = JSONValue.told(try daemon.call("getCredits", parameters))
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

    /// A renewal that was refunded before it began counts as the newest period from its beginning
    /// on, and no notification says so: the store says it to who asks later.
    private static func withoutRenewalDate(_ row: JSONValue) -> JSONValue {
        guard var members = row.object?.members, row["renewal"]?.object != nil,
            let newest = row["transactions"]?.array?.last, newest["revocationDate"]?.string != nil
        else { return row }
        for index in members.indices where members[index].key == "renewal" {
            let kept = members[index].value.object?.members.filter { $0.key != "renewalDate" }
            members[index].value = .object(JSONObject(kept ?? []))
        }
        return .object(JSONObject(members))
    }
}
