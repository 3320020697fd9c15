extension Settings {
    /// A system that is told of changes.
    package struct Outbox: Sendable, Equatable {
        /// What it is called in metrics, in the log and by admins.
        package let name: String
        /// Where it takes posts.
        package let url: String
        /// What posts to it are signed with.
        package let secretFile: SecretFile
        /// How long a loss of access is held back that may only be a late renewal.
        package let settleSeconds: Int
        /// The certificates that its own must lead to; nil: those of the system.
        package let caFile: String?
    }

    static func outboxes(
        _ values: ConfigurationValues,
        _ secrets: SecretPlaces
    ) throws(ConfigurationFailure) -> [Outbox] {
        let told: [OutboxNode] = values.value("outbox")
        guard told.count <= ConfigurationLimits.outboxesMax else {
            throw .wrong("outbox", "must have at most \(ConfigurationLimits.outboxesMax) elements")
        }
        var outboxes: [Outbox] = []
        for (index, node) in told.enumerated() {
            let key = "outbox[\(index)]"
            guard !outboxes.contains(where: { $0.name == node.name }) else {
                throw .wrong("\(key).name", "stands there twice: \(node.name)")
            }
            try checkBaseURL(node.url, "\(key).url", allowingQuery: true)
            if let caFile = node.caFile {
                _ = try readFile(
                    caFile,
                    key: "\(key).caFile",
                    bytesMax: ConfigurationLimits.secretBytesMax
                )
            }
            outboxes.append(
                Outbox(
                    name: node.name,
                    url: node.url,
                    secretFile: try secrets.file(named: node.secretFile, "\(key).secretFile"),
                    settleSeconds: node.settleSeconds,
                    caFile: node.caFile
                )
            )
        }
        return outboxes
    }
}

/// An element of `outbox`, as the file has it.
struct OutboxNode {
    let name: String
    let url: String
    let secretFile: String
    let settleSeconds: Int
    let caFile: String?
}

extension ConfigurationNode {
    /// `{name: …, url: …, secretFile: …, settleSeconds: …, caFile: …}`.
    func outbox(key: String) throws(ConfigurationFailure) -> OutboxNode {
        var texts: [String: String] = [:]
        var settleSeconds = 0
        for member in try map(key: key) {
            let memberKey = "\(key).\(member.key)"
            switch member.key {
            case "name", "url", "secretFile", "caFile":
                texts[member.key] = try member.value.text(key: memberKey)
            case "settleSeconds":
                settleSeconds = try member.value.integer(
                    key: memberKey,
                    in: 0...ConfigurationLimits.settleSecondsMax
                )
            default: throw .wrong(memberKey, "is no known key")
            }
        }
        func text(_ name: String) throws(ConfigurationFailure) -> String {
            guard let text = texts[name] else { throw .missing("\(key).\(name)") }
            return text
        }
        let name = try text("name")
        let isName = name.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
        }
        guard isName, name.utf8.count <= ConfigurationLimits.outboxNameBytesMax else {
            throw .wrong(
                "\(key).name",
                "must be up to \(ConfigurationLimits.outboxNameBytesMax) of a to z, 0 to 9 "
                    + "and -, not \"\(name)\""
            )
        }
        return OutboxNode(
            name: name,
            url: try text("url"),
            secretFile: try text("secretFile"),
            settleSeconds: settleSeconds,
            caFile: texts["caFile"]
        )
    }
}
