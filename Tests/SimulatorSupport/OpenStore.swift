import AppStoreSimulator
import CertificateAuthority
import Foundation
import JSON
import Signatures
import Synchronization
import TestSupport
import Testing

/// A store in a directory of the test's own, with its books and its API, in which time passes only
/// when told to.
package final class OpenStore: Sendable {
    private let scratch: Scratch
    package let directory: SimulatorDirectory
    package let books: StoreBooks
    package let api: StoreAPI
    package let access: APIAccess
    /// When it was minted.
    package let opened: Int64
    private let moment: Moment

    /// The store's clock.
    package final class Moment: Sendable {
        private let value: Mutex<Int64>

        init(_ start: Int64) { value = Mutex(start) }

        var now: Int64 { value.withLock { $0 } }

        func pass(_ milliseconds: Int64) { value.withLock { $0 += milliseconds } }
    }

    /// A month takes 30 minutes: a day is a minute.
    package init(
        _ environment: StoreEnvironment = .production,
        _ set: (inout StoreAPI.Rules) -> Void = { _ in }
    ) throws {
        scratch = try Scratch()
        directory = SimulatorDirectory(scratch.path)
        try directory.mint(
            StoreSettings(environment: environment, time: StoreTime(monthMilliseconds: 1_800_000))
        )
        opened = StoreTime.now()
        let moment = Moment(opened)
        self.moment = moment
        books = try StoreBooks(directory) { moment.now }
        var rules = StoreAPI.Rules()
        set(&rules)
        api = try StoreAPI(books, rules)
        access = try directory.apiAccess()
    }

    package var now: Int64 { moment.now }

    package func pass(days: Double) { moment.pass(Int64(days * 60_000)) }

    package func pass(milliseconds: Int64) { moment.pass(milliseconds) }

    /// One thing happens to a customer; its notification is noted with these attempts.
    @discardableResult
    package func act(
        _ name: String,
        _ action: StoreAction,
        token: String? = nil,
        attempts: [Delivery.AttemptResult] = [.success],
        _ words: (inout ActionWords) -> Void = { _ in }
    ) throws -> SignedNotification {
        var said = ActionWords()
        words(&said)
        moment.pass(1)
        var till = Till(books.settings, now: now)
        let notification = try books.change(name, &till) { [said] customer, till in
            if let token { customer.token = token }
            return try customer.perform(action, said, &till)
        }
        let signed = try notification.signed(by: books.authority)
        try books.note(signed, about: name)
        for result in attempts {
            let attempt = Delivery.Attempt(date: now, result: result, status: nil, body: "")
            try books.note(attempt, of: signed.uuid)
        }
        return signed
    }

    /// Asks, with a good token.
    package func ask(
        _ method: String,
        _ target: String,
        _ body: JSONObject? = nil
    ) async throws -> APIAnswer {
        await api.answer(
            to: APIRequest(
                method,
                "/inApps/" + target,
                authorization: try access.authorization(at: now),
                body: body.map { JSONValue.object($0).bytes } ?? []
            )
        )
    }

    /// Asks for what is there: the answer's object.
    package func get(_ target: String) async throws -> JSONValue {
        let answer = try await ask("GET", target)
        #expect(answer.status == 200, "\(target): \(String(decoding: answer.body, as: UTF8.self))")
        return try JSONValue.parse(answer.body)
    }

    /// A page of the notification history of the first day.
    package func notifications(
        _ filter: JSONObject = [:],
        token: String? = nil
    ) async throws -> JSONValue {
        let answer = try await notificationAnswer(filter, token: token)
        #expect(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
        return try JSONValue.parse(answer.body)
    }

    package func notificationAnswer(
        _ filter: JSONObject = [:],
        token: String? = nil
    ) async throws -> APIAnswer {
        var body: JSONObject = [
            "startDate": .integer(opened - 3_600_000), "endDate": .integer(opened + 86_400_000),
        ]
        for member in filter.members { body[member.key] = member.value }
        let query = token.map { "?paginationToken=" + $0 } ?? ""
        return try await ask("POST", "v1/notifications/history" + query, body)
    }

    /// What a signed document says, once it has verified under the store's root.
    package func genuine(_ document: JSONValue?, dated: String = "signedDate") throws -> JSONValue {
        let text = try #require(document?.string)
        let verifier = try DocumentVerifier(roots: [Array(books.authority.rootPEM.utf8)])
        guard case .genuine(let verified) = verifier.verdict(on: Array(text.utf8), timeClaim: dated)
        else {
            Issue.record("the document does not verify")
            return .null
        }
        return verified.payload
    }
}

extension APIAnswer {
    /// A member of the body.
    package subscript(_ key: String) -> JSONValue? { (try? JSONValue.parse(body))?[key] }

    package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
