import Glibc

/// A token that a caller may show at the HTTPS door, as a line of `api.tokensFile` has it.
package struct AccessToken: Sendable, Equatable {
    /// What the history and the log call its bearer.
    package let name: String
    /// What its bearer may ask; never admin.
    package let role: Settings.RPC.Role
    /// The SHA-256 of the token: 32 bytes.
    package let digest: [UInt8]
}

extension AccessToken {
    /// The tokens of the file at `path`, which `key` names.
    ///
    /// A line is a name, a role and 64 hexadecimal digits, with spaces or tabs between them; a line
    /// that is empty or begins with `#` says nothing.
    static func all(
        in path: String,
        key: String
    ) throws(ConfigurationFailure) -> [AccessToken] {
        let bytes = try readFile(
            path,
            key: key,
            bytesMax: ConfigurationLimits.fileBytesMax,
            forbidden: othersWrite
        ) {
            "which others than its owner may write (mode 0\($0)); make it 0644 or less"
        }
        var tokens: [AccessToken] = []
        var names: Set<String> = []
        var digests: Set<[UInt8]> = []
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let words = line.split { [0x20, 0x09, 0x0D].contains($0) }
            guard let first = words.first, first.first != UInt8(ascii: "#") else { continue }
            func failure(_ what: String) -> ConfigurationFailure {
                .wrong(key, "names \(path), whose line \(index + 1) \(what)")
            }
            guard words.count == 3 else { throw failure("is not NAME ROLE SHA256-IN-HEX") }
            guard let name = name(first) else {
                throw failure("has a name that is not 1 to 64 letters, digits, or any of - . _")
            }
            guard let role = role(words[1]) else {
                throw failure("has another role than reader, app and support")
            }
            guard let digest = digest(words[2]) else {
                throw failure("has no SHA-256 of 64 hexadecimal digits")
            }
            guard names.insert(name).inserted, digests.insert(digest).inserted else {
                throw failure("has a name or a token that stands before")
            }
            tokens.append(AccessToken(name: name, role: role, digest: digest))
        }
        guard tokens.count <= ConfigurationLimits.tokensMax else {
            throw .wrong(
                key,
                "names \(path), which has more than \(ConfigurationLimits.tokensMax) tokens"
            )
        }
        return tokens
    }

    private static let othersWrite: mode_t = 0o022

    private static func name(_ word: ArraySlice<UInt8>) -> String? {
        let isName = word.allSatisfy { $0.isLetterOrDigit || "-._".utf8.contains($0) }
        guard isName, word.count <= ConfigurationLimits.tokenNameBytesMax else { return nil }
        return String(decoding: word, as: UTF8.self)
    }

    /// Nobody who is not on this host is an administrator.
    private static func role(_ word: ArraySlice<UInt8>) -> Settings.RPC.Role? {
        let role = Settings.RPC.Role(rawValue: String(decoding: word, as: UTF8.self))
        return role == .admin ? nil : role
    }

    private static func digest(_ word: ArraySlice<UInt8>) -> [UInt8]? {
        guard word.count == 64 else { return nil }
        var digest: [UInt8] = []
        var rest = word
        while let high = rest.popFirst(), let low = rest.popFirst() {
            guard let high = nibble(high), let low = nibble(low) else { return nil }
            digest.append(high << 4 | low)
        }
        return digest
    }

    private static func nibble(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x41...0x46: digit - 0x41 + 10
        case 0x61...0x66: digit - 0x61 + 10
        default: nil
        }
    }
}
