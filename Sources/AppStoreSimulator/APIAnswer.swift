import JSON

/// What the store's API answers.
package struct APIAnswer: Sendable {
    /// The HTTP status; 0 closes the connection without a word.
    package var status: Int
    /// Apple's number of an error.
    package var errorCode: Int64?
    /// What to send.
    package var body: [UInt8] = []
    /// The media type of what is sent.
    package var contentType = "application/json"
    /// More headers.
    package var headers: [(name: String, value: String)] = []

    /// An answer without a body.
    package init(status: Int) { self.status = status }

    /// An answer with this object.
    package init(_ object: JSONObject, status: Int = 200) {
        self.status = status
        body = JSONValue.object(object).bytes
    }

    /// An error of Apple's.
    init(_ failure: APIFailure) {
        status = failure.status
        errorCode = failure.code
        body = failure.body
    }

    /// The answer to whom the token does not let in; the reason stays here.
    static let unauthorized: APIAnswer = {
        var answer = APIAnswer(status: 401)
        answer.body = Array("Unauthenticated\n".utf8)
        answer.contentType = "text/plain"
        return answer
    }()
    /// The same, with another signature under every document in it.
    var forged: APIAnswer {
        guard let value = try? JSONValue.parse(body) else { return self }
        var answer = self
        answer.body = Self.forged(value).bytes
        return answer
    }

    private static func forged(_ value: JSONValue) -> JSONValue {
        switch value {
        case .null, .bool, .number: return value
        case .array(let items): return .array(items.map(forged))
        case .object(let object):
            return .object(
                JSONObject(object.members.map { .init(key: $0.key, value: forged($0.value)) })
            )
        case .string(let text):
            guard text.hasPrefix("eyJ"), let dot = text.lastIndex(of: "."),
                text.index(after: dot) < text.endIndex
            else { return value }
            let first = text.index(after: dot)
            let other = text[first] == "A" ? "B" : "A"
            return .string(text[...dot] + other + text[text.index(after: first)...])
        }
    }
}
