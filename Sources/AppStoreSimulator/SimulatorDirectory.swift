import CertificateAuthority
import Foundation

/// A directory that keeps a store: root.pem and the chain's key, settings.json, and one file for
/// each subscriber.
package struct SimulatorDirectory: Sendable {
    /// Where it is.
    package let path: String

    /// The store kept at `path`; nothing is read yet.
    package init(_ path: String) { self.path = path }

    /// The root that a daemon has to trust.
    package var rootPath: String { path + "/root.pem" }

    /// Makes a new store with a chain of its own; refused where there is one already.
    package func mint(_ settings: StoreSettings) throws {
        let files = FileManager.default
        guard !files.fileExists(atPath: settingsPath) else {
            throw DirectoryFailure(description: "\(path) is a store already")
        }
        try files.createDirectory(
            atPath: path + "/subscribers",
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        // From a day before, for clocks that differ; ten years, so that no demo outlives it.
        let dayMilliseconds: Int64 = 86_400_000
        let now = StoreTime.now()
        let authority = try SigningAuthority.mint(
            validFrom: now - dayMilliseconds,
            validUntil: now + 3_650 * dayMilliseconds
        )
        try authority.save(to: path)
        try mintAPIKey()
        try write(settings, settingsPath)
    }

    /// The store's settings.
    package func settings() throws -> StoreSettings {
        guard FileManager.default.fileExists(atPath: settingsPath) else {
            throw DirectoryFailure(description: "\(path) is no store; mint makes one")
        }
        return try read(StoreSettings.self, settingsPath)
    }

    /// Who signs for this store.
    package func authority() throws -> SigningAuthority { try SigningAuthority.load(from: path) }

    /// The subscriber of this name; nil where there is none yet.
    package func subscriber(_ name: String) throws -> Subscriber? {
        let file = try path(of: name)
        guard FileManager.default.fileExists(atPath: file) else { return nil }
        return try read(Subscriber.self, file)
    }

    /// The names of all subscribers, in no order.
    package func subscriberNames() throws -> [String] {
        do {
            let files = try FileManager.default.contentsOfDirectory(atPath: path + "/subscribers")
            return files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
        } catch {
            throw DirectoryFailure(description: "\(path) cannot be read: \(error)")
        }
    }

    /// Keeps a subscriber.
    package func keep(_ subscriber: Subscriber) throws {
        try write(subscriber, try path(of: subscriber.name))
    }

    private var settingsPath: String { path + "/settings.json" }

    private func path(of name: String) throws(DirectoryFailure) -> String {
        let isPlain = name.utf8.allSatisfy { byte in
            byte > 0x20 && byte != UInt8(ascii: "/") && byte != 0x7F
        }
        guard isPlain, !name.hasPrefix("."),
            (1...SimulatorLimits.nameBytesMax).contains(name.utf8.count)
        else { throw DirectoryFailure(description: "\(name) is no name for a subscriber's file") }
        return "\(path)/subscribers/\(name).json"
    }

    func read<Value: Decodable>(_ type: Value.Type, _ file: String) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(contentsOf: URL(filePath: file)))
        } catch {
            throw DirectoryFailure(description: "\(file) cannot be read: \(error)")
        }
    }

    func write(_ value: some Encodable, _ file: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            try encoder.encode(value).write(to: URL(filePath: file), options: .atomic)
        } catch {
            throw DirectoryFailure(description: "\(file) cannot be written: \(error)")
        }
    }
}
