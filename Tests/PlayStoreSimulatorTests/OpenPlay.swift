import AppStoreSimulator
import Foundation
import JSON
import PlayStoreSimulator
import Signatures
import TestSupport

/// A simulated Google Play with a clock by hand, asked without a socket.
final class OpenPlay {
    static let start: Int64 = 1_790_000_000_000

    let scratch: Scratch
    let directory: PlayDirectory
    let api: PlayAPI
    private let clock = HandClock(OpenPlay.start)
    private var bearer: String?

    init() throws {
        scratch = try Scratch()
        directory = PlayDirectory(scratch.file("play"))
        var settings = PlaySettings(
            packageName: "com.example.app",
            time: .real,
            url: nil,
            audience: "https://example.com/webhooks/google"
        )
        settings.items = PlayItem.usual
        try directory.mint(settings, tokenURL: "http://127.0.0.1:1/token")
        let clock = clock
        api = try PlayAPI(directory) { clock.now }
    }

    /// Now, in ms since 1970.
    var now: Int64 { clock.now }

    /// Time passes; the next question asks for another access token.
    func pass(days: Int64) {
        clock.pass(days * 86_400_000)
        bearer = nil
    }

    /// Lets something happen; what is told.
    @discardableResult
    func act(
        _ customer: String,
        _ action: PlayAction,
        _ change: (inout PlayWords) -> Void = { _ in }
    ) throws -> [PlayNotice] {
        var words = PlayWords()
        change(&words)
        return try directory.change { try $0.perform(action, customer, words, at: now) }
    }

    func newest(_ customer: String) throws -> SoldPurchase {
        guard let found = try directory.books().newest(of: customer) else { throw Missing() }
        return found
    }

    struct Missing: Error {}

    /// An access token, by an assertion that the account has signed.
    func token() async throws -> String {
        if let bearer { return bearer }
        let data = FileManager.default.contents(atPath: directory.accountPath) ?? Data()
        let file = try JSONValue.parse([UInt8](data))
        let signer = try RSATokenSigner(
            privateKeyPEM: Array((file["private_key"]?.string ?? "").utf8)
        )
        let claims: JSONValue = [
            "iss": .string(file["client_email"]?.string ?? ""),
            "scope": "https://www.googleapis.com/auth/androidpublisher",
            "aud": "https://oauth2.googleapis.com/token", "iat": .integer(now / 1_000),
            "exp": .integer(now / 1_000 + 3_600),
        ]
        let header: JSONValue = ["alg": "RS256", "typ": "JWT"]
        let answer = await exchange(signer.token(header: header.bytes, claims: claims.bytes))
        guard let token = try JSONValue.parse(answer.body)["access_token"]?.string else {
            throw Missing()
        }
        bearer = token
        return token
    }

    func exchange(_ assertion: String) async -> APIAnswer {
        let grant = "urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer"
        let body = Array("grant_type=\(grant)&assertion=\(assertion)".utf8)
        return await api.answer(to: APIRequest("POST", "/token", body: body))
    }

    /// What the API answers about the app's purchases.
    func ask(_ tail: String, _ method: String = "GET") async throws -> APIAnswer {
        let path = "/androidpublisher/v3/applications/com.example.app/purchases/" + tail
        let bearer = "Bearer " + (try await token())
        return await api.answer(to: APIRequest(method, path, authorization: bearer))
    }
}

/// A clock that goes when it is told.
final class HandClock: @unchecked Sendable {
    // Confined to one test, which asks one thing after the other.
    private(set) var now: Int64

    init(_ now: Int64) { self.now = now }

    func pass(_ milliseconds: Int64) { now += milliseconds }
}
