import Foundation

/// Genuine documents of which nothing could be made, kept so that somebody can look at them.
///
/// Files in the directory `unread` of the data directory, readable by the daemon's user alone; the
/// oldest go when there are too many. An erasure leaves them: what nobody can read is nobody's.
struct UnreadDocuments: Sendable {
    /// How many are kept.
    static let countMax = 64

    private let directory: String

    /// Those of this data directory.
    init(dataDirectory: String) { directory = dataDirectory + "/unread" }

    /// Keeps a document that came at `moment`, in milliseconds since 1970.
    ///
    /// What cannot be kept is counted and logged all the same.
    func keep(_ document: [UInt8], at moment: Int64) {
        let files = FileManager.default
        let owner: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        try? files.createDirectory(
            atPath: directory,
            withIntermediateDirectories: true,
            attributes: owner
        )
        let names = ((try? files.contentsOfDirectory(atPath: directory)) ?? []).sorted()
        // Of one length, so that names sort by age; by content, so that a repetition is one file.
        let hash = document.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        let digits = String(moment)
        let stamp = String(repeating: "0", count: max(0, 15 - digits.count)) + digits
        // Before the oldest go: it may be one of them.
        guard !names.contains(where: { $0.hasSuffix("-\(hash).jws") }) else { return }
        for name in names.dropLast(Self.countMax - 1) {
            try? files.removeItem(atPath: directory + "/" + name)
        }
        _ = files.createFile(
            atPath: directory + "/" + stamp + "-\(hash).jws",
            contents: Data(document),
            attributes: [.posixPermissions: 0o600]
        )
    }
}
