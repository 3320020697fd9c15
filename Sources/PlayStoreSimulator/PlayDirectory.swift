import AppStoreSimulator
import CertificateAuthority
import Foundation
import Glibc
import JSON

/// A directory that keeps a simulated Google Play: books.json, the key that signs pushes, and the
/// file of the service account that may ask the API.
package struct PlayDirectory: Sendable {
    /// Where it is.
    package let path: String

    /// The store kept at `path`; nothing is read yet.
    package init(_ path: String) { self.path = path }

    /// The file that a daemon's configuration names in google.api.serviceAccountFile.
    package var accountPath: String { path + "/service-account.json" }

    private var booksPath: String { path + "/books.json" }
    private var pushKeyPath: String { path + "/push-key.pem" }

    /// Makes a new store, whose API gives tokens at `tokenURL`; refused where there is one.
    package func mint(_ settings: PlaySettings, tokenURL: String) throws {
        let files = FileManager.default
        guard !files.fileExists(atPath: booksPath) else {
            throw DirectoryFailure(description: "\(path) is a store already")
        }
        try files.createDirectory(
            atPath: path,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let account: JSONObject = [
            "type": "service_account", "project_id": "playstoresim",
            "private_key_id": "api", "private_key": .string(try RS256Key().privatePEM()),
            "client_email": .string(settings.apiAccount), "client_id": "100000000000000000000",
            "token_uri": .string(tokenURL),
        ]
        try write(JSONValue.object(account).bytes, accountPath)
        try write(Array(try RS256Key().privatePEM().utf8), pushKeyPath)
        try keep(PlayBooks(settings))
    }

    /// The books, read.
    package func books() throws -> PlayBooks {
        guard let data = FileManager.default.contents(atPath: booksPath) else {
            throw DirectoryFailure(description: "\(path) is no store; mint makes one")
        }
        do {
            return try JSONDecoder().decode(PlayBooks.self, from: data)
        } catch {
            throw DirectoryFailure(description: "\(booksPath) cannot be read: \(error)")
        }
    }

    /// What `body` does with the books, kept; no other process changes them meanwhile.
    package func change<Answer>(_ body: (inout PlayBooks) throws -> Answer) throws -> Answer {
        let lock = open(path + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else {
            throw DirectoryFailure(description: "\(path) cannot be locked: errno \(errno)")
        }
        defer { close(lock) }
        while flock(lock, LOCK_EX) != 0 {
            guard errno == EINTR else {
                throw DirectoryFailure(description: "\(path) cannot be locked: errno \(errno)")
            }
        }
        var books = try books()
        let answer = try body(&books)
        try keep(books)
        return answer
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

    private func keep(_ books: PlayBooks) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try write(Array(try encoder.encode(books)), booksPath)
    }

    private func write(_ bytes: [UInt8], _ file: String) throws {
        do {
            try Data(bytes).write(to: URL(filePath: file), options: .atomic)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        } catch {
            throw DirectoryFailure(description: "\(file) cannot be written: \(error)")
        }
    }
}
