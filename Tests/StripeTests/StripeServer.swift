import Entitlements
import JSON
import Stripe

/// Stripe's API as far as the tests need it: objects by path, lists by path and query.
///
/// Remembers what it was asked.
final class StripeServer {
    private var objects: [String: JSONValue] = [:]
    /// The newest first: a request may fit several, and the order must be the same each time.
    private var lists: [(key: String, value: [JSONValue])] = []
    private(set) var asked: [StoreRequest] = []
    /// Paths that the key may not read.
    var forbidden: Set<String> = []
    /// When it answers; each answer is a second later than the one before.
    var now: Moment

    init(at now: Moment) { self.now = now }

    /// Keeps an object under `/v1/…`; with nothing it is unknown again.
    subscript(_ path: String) -> JSONValue? {
        get { objects[path] }
        set { objects[path] = newValue }
    }

    /// Keeps a list under a path, for requests whose query has all of `words`.
    func keep(_ list: [JSONValue], under path: String, _ words: String...) {
        let key = ([path] + words).joined(separator: " ")
        lists.removeAll { $0.key == key }
        lists.insert((key, list), at: 0)
    }

    /// What a question comes to.
    func answer<Answer>(to question: StoreQuestion<Answer>) throws -> Answer {
        var question = question
        while true {
            asked.append(question.request)
            let reply = reply(to: question.request)
            now = now.advanced(byMilliseconds: 1000)
            guard question.reads(reply.status) else {
                throw Stripe(signatures: WebhookSignatures(live: [], test: []))
                    .failure(of: reply, at: now)
            }
            switch try question.read(reply, now) {
            case .answer(let answer): return answer
            case .ask(let next): question = next
            }
        }
    }

    /// All statements of a walk.
    func statements(of question: StoreQuestion<StoreStatement>) throws -> [StoreStatement] {
        var statements = [try answer(to: question)]
        while let next = statements.last?.next { statements.append(try answer(to: next)) }
        return statements
    }

    /// The paths and queries that were asked for.
    var targets: [String] { asked.map(\.target) }

    private func reply(to request: StoreRequest) -> StoreReply {
        let path = request.target.prefix { $0 != "?" }
        if forbidden.contains(String(path)) {
            let error: JSONValue = ["error": ["type": "invalid_request_error"]]
            return StoreReply(status: 403, body: error.bytes)
        }
        if let object = objects[String(path)] { return StoreReply(status: 200, body: object.bytes) }
        let fitting = lists.first { entry in
            let words = entry.key.split(separator: " ")
            return words[0] == path && words.dropFirst().allSatisfy { request.target.contains($0) }
        }
        if let list = fitting?.value {
            let more = list.contains { $0["more"] == true }
            let value: JSONValue = [
                "object": "list", "data": .array(list.filter { $0["more"] == nil }),
                "has_more": .bool(more),
            ]
            return StoreReply(status: 200, body: value.bytes)
        }
        let isList = path.split(separator: "/").count == 2 || path.hasSuffix("sessions")
        if isList {
            let value: JSONValue = ["object": "list", "data": [], "has_more": false]
            return StoreReply(status: 200, body: value.bytes)
        }
        let error: JSONValue = [
            "error": ["type": "invalid_request_error", "code": "resource_missing"]
        ]
        return StoreReply(status: 404, body: error.bytes)
    }
}
