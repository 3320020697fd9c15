import AppStoreSimulator

/// A directory that keeps a simulated Stripe account: books.json, and the files that a daemon's
/// configuration names.
package struct StripeDirectory: Sendable {
    private let kept: KeptBooks<StripeBooks>

    /// The account kept at `path`; nothing is read yet.
    package init(_ path: String) { kept = KeptBooks(path) }

    /// The file with the API's key.
    package var keyPath: String { kept.path + "/api-key" }

    /// The files with the secrets that sign events, one each.
    package func secretPaths(_ settings: StripeSettings) -> [String] {
        settings.secrets.indices.map { "\(kept.path)/webhook-secret-\($0 + 1)" }
    }

    /// Makes a new account; refused where there is one.
    package func mint(_ settings: StripeSettings) throws {
        try kept.makeDirectory()
        try kept.write(Array(settings.apiKey.utf8), keyPath)
        for (path, secret) in zip(secretPaths(settings), settings.secrets) {
            try kept.write(Array(secret.utf8), path)
        }
        try kept.keep(StripeBooks(settings))
    }

    /// The books, read.
    package func books() throws -> StripeBooks { try kept.read() }

    /// What `body` does with the books, kept; no other process changes them meanwhile.
    package func change<Answer>(_ body: (inout StripeBooks) throws -> Answer) throws -> Answer {
        try kept.change(body)
    }
}
