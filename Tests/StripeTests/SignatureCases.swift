import Entitlements
import Foundation
import JSON
import Stripe

/// One request as somebody sent it to the endpoint, and what has to be said of it.
///
/// From Tests/Oracle/stripe-signatures.json, which Tests/Oracle/stripe_cases.py wrote.
struct SignatureCase: CustomStringConvertible {
    enum Answer: String {
        case production
        case sandbox
        /// Genuine, and nothing of ours.
        case ignored
        /// Genuine, and no event.
        case malformed
        case unauthorized
    }

    let id: String
    let name: String
    let expected: Answer
    let now: Moment
    let signatures: WebhookSignatures
    let header: [UInt8]?
    let body: [UInt8]

    var description: String { "\(id) \(name)" }

    /// What we say.
    var answer: Answer {
        switch signatures.verdict(on: body, header: header, at: now) {
        case .genuine(let event): event.environment == .production ? .production : .sandbox
        case .foreign: .ignored
        case .malformed: .malformed
        case .refused: .unauthorized
        }
    }

    static func all() throws -> [SignatureCase] {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../Oracle/stripe-signatures.json")
        let value = try JSONValue.parse(Array(Data(contentsOf: file)))
        return try (value.array ?? []).map { try SignatureCase($0) }
    }

    struct Unreadable: Error {}

    private init(_ value: JSONValue) throws {
        guard let id = value["id"]?.string, let name = value["name"]?.string,
            let expected = value["expected"]?.string.flatMap(Answer.init),
            let now = value["now"]?.int64,
            let live = value["live"]?.array, let test = value["test"]?.array,
            let header = value["header"],
            let body = value["body"]?.string.flatMap({ Data(base64Encoded: $0) })
        else { throw Unreadable() }
        self.id = id
        self.name = name
        self.expected = expected
        self.now = Moment(now)
        self.body = Array(body)
        self.header = header.string.map { Array($0.utf8) }
        signatures = WebhookSignatures(
            live: try live.map(Self.secret),
            test: try test.map(Self.secret)
        )
    }

    private static func secret(_ value: JSONValue) throws -> EndpointSecret {
        guard let text = value.string, let secret = EndpointSecret(file: Array(text.utf8)) else {
            throw Unreadable()
        }
        return secret
    }
}
