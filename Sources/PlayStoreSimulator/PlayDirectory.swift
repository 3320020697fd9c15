import AppStoreSimulator
import CertificateAuthority
import Foundation
import JSON

/// A directory that keeps a simulated Google Play: books.json, the key that signs pushes, and the
/// file of the service account that may ask the API.
package struct PlayDirectory: Sendable {
    private let kept: KeptBooks<PlayBooks>

    /// The store kept at `path`; nothing is read yet.
    package init(_ path: String) { kept = KeptBooks(path) }

    /// Where it is.
    package var path: String { kept.path }

    /// The file that a daemon's configuration names in google.api.serviceAccountFile.
    package var accountPath: String { path + "/service-account.json" }

    private var pushKeyPath: String { path + "/push-key.pem" }

    /// Makes a new store, whose API gives tokens at `tokenURL`; refused where there is one.
    package func mint(_ settings: PlaySettings, tokenURL: String) throws {
        try kept.makeDirectory()
        let account: JSONObject = [
            "type": "service_account", "project_id": "playstoresim",
            "private_key_id": "api", "private_key": .string(try RS256Key().privatePEM()),
            "client_email": .string(settings.apiAccount), "client_id": "100000000000000000000",
            "token_uri": .string(tokenURL),
        ]
        try kept.write(JSONValue.object(account).bytes, accountPath)
        try kept.write(Array(try RS256Key().privatePEM().utf8), pushKeyPath)
        try kept.keep(PlayBooks(settings))
    }

    /// The books, read.
    package func books() throws -> PlayBooks { try kept.read() }

    /// What `body` does with the books, kept; no other process changes them meanwhile.
    package func change<Answer>(_ body: (inout PlayBooks) throws -> Answer) throws -> Answer {
        try kept.change(body)
    }

    /// What signs pushes.
    package func pushSigner() throws -> PushSigner {
        PushSigner(try RS256Key(pem: text(pushKeyPath)), try books().settings)
    }

    /// The key of the account that may ask.
    func accountKey() throws -> RS256Key {
        let file = try JSONValue.parse(Array(text(accountPath).utf8))
        return try RS256Key(pem: file["private_key"]?.string ?? "")
    }

    private func text(_ file: String) throws -> String {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw DirectoryFailure(description: "\(file) cannot be read")
        }
        return String(decoding: data, as: UTF8.self)
    }
}
