import FoundationEssentials

/// Small files of a store's directory.
enum FileMaking {
    static func write(_ text: String, to path: String, mode: Int) throws(AuthorityFailure) {
        let made = FileManager.default.createFile(
            atPath: path,
            contents: Data(text.utf8),
            attributes: [.posixPermissions: mode]
        )
        guard made else { throw AuthorityFailure(description: "\(path) cannot be written") }
    }

    static func read(_ path: String) throws(AuthorityFailure) -> String {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw AuthorityFailure(description: "\(path) cannot be read")
        }
        return String(decoding: data, as: UTF8.self)
    }
}
