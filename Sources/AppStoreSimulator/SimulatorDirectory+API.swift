import CertificateAuthority
import Foundation

/// The key of the store's API: AuthKey_ID.p8, as App Store Connect gives it out, and api.json with
/// the ids that go with it.
extension SimulatorDirectory {
    /// What stands in api.json.
    private struct Card: Codable {
        var issuerID: String
        var keyID: String
    }

    /// Makes the key; part of `mint`.
    func mintAPIKey() throws {
        let alphabet = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
        let card = Card(
            issuerID: UUID().uuidString.lowercased(),
            keyID: String((0..<10).map { _ in alphabet[Int.random(in: 0..<alphabet.count)] })
        )
        let pem = try ES256Key().privatePEM()
        let isMade = FileManager.default.createFile(
            atPath: keyPath(card.keyID),
            contents: Data(pem.utf8),
            attributes: [.posixPermissions: 0o600]
        )
        guard isMade else {
            throw DirectoryFailure(description: "\(keyPath(card.keyID)) cannot be written")
        }
        try write(card, cardPath)
    }

    /// Who may ask this store's API.
    package func apiAccess() throws -> APIAccess {
        let card = try read(Card.self, cardPath)
        guard let pem = FileManager.default.contents(atPath: keyPath(card.keyID)) else {
            throw DirectoryFailure(description: "\(keyPath(card.keyID)) cannot be read")
        }
        return APIAccess(
            issuerID: card.issuerID,
            keyID: card.keyID,
            bundleID: try settings().bundleID,
            key: try ES256Key(pem: String(decoding: pem, as: UTF8.self))
        )
    }

    /// Where the key's file is.
    package func apiKeyPath() throws -> String {
        keyPath(try read(Card.self, cardPath).keyID)
    }

    /// What a daemon's configuration says to ask this store, where it serves at `baseURL`.
    package func configuration(baseURL: String) throws -> String {
        let settings = try settings()
        let access = try apiAccess()
        return """
            apple:
              bundleId: \(settings.bundleID)
              appAppleId: \(settings.appAppleID)
              environments: [\(settings.environment.rawValue)]
              rootCertificateFiles: [\(Self.absolute(rootPath))]
              api:
                issuerId: \(access.issuerID)
                keyId: \(access.keyID)
                privateKeyFile: \(Self.absolute(keyPath(access.keyID)))
                baseURL: \(baseURL)
            """
    }

    private var cardPath: String { path + "/api.json" }

    private func keyPath(_ keyID: String) -> String { "\(path)/AuthKey_\(keyID).p8" }

    /// The path from the root, for a configuration that is read in another directory.
    package static func absolute(_ path: String) -> String {
        URL(filePath: path).standardizedFileURL.path(percentEncoded: false)
    }
}
