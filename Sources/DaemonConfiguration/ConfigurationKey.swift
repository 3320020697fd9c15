/// A key of the configuration file, with what its value may be.
struct ConfigurationKey {
    /// What a value may be.
    ///
    /// Everything but `access` and `apps` can be set by an environment variable.
    enum Kind {
        case text
        case integer(ClosedRange<Int>)
        case boolean
        case choice([String])
        case texts
        case choices([String])
        case access
        case apps
    }

    let path: String
    let kind: Kind

    init(_ path: String, _ kind: Kind) {
        self.path = path
        self.kind = kind
    }

    /// The names of the environment variables that override it, the documented one first.
    var environmentNames: [String] {
        let name = "ENTITLD_" + path.split(separator: ".").map(upperSnake).joined(separator: "_")
        // The rule splits GiB; people write it whole.
        return name.hasSuffix("_GI_B") ? [name.dropLast(5) + "_GIB", name] : [name]
    }

    /// Every key that exists.
    ///
    /// Whatever is not here is refused.
    static let all: [ConfigurationKey] = [
        .init("storage.directory", .text),
        .init("storage.mapSizeGiB", .integer(1...65_536)),
        .init("storage.journalRetentionDays", .integer(0...36_500)),
        .init("rpc.socket", .text),
        .init("rpc.socketMode", .text),
        .init("rpc.adminSocket", .text),
        .init("rpc.adminSocketMode", .text),
        .init("rpc.access", .access),
        .init("rpc.threads", .integer(1...64)),
        .init("rpc.maxFrameBytes", .integer(1_024...16_777_216)),
        .init("webhook.listen", .text),
        .init("webhook.tls.certificateFile", .text),
        .init("webhook.tls.privateKeyFile", .text),
        .init("webhook.plaintext", .boolean),
        .init("webhook.allowedSources", .texts),
        .init("webhook.trustedProxies", .texts),
        .init("webhook.pathSecretFile", .text),
        .init("metrics.listen", .text),
        .init("apple.bundleId", .text),
        .init("apple.appAppleId", .integer(Settings.Apple.appleIds)),
        .init("apple.apps", .apps),
        .init("apple.environments", .choices(Settings.Apple.Environment.names)),
        .init("apple.sandboxAccess", .choice(Settings.Apple.SandboxAccess.names)),
        .init("apple.sandboxUsers", .texts),
        .init("apple.rootCertificateFiles", .texts),
        .init("apple.receiptRootCertificateFiles", .texts),
        .init("apple.blockedSerials", .texts),
        .init("apple.api.issuerId", .text),
        .init("apple.api.keyId", .text),
        .init("apple.api.privateKeyFile", .text),
        .init("apple.api.baseURL", .text),
        .init("reconcile.failuresEverySeconds", .integer(1...31_536_000)),
        .init("reconcile.askBeforeEndSeconds", .integer(0...86_400)),
        .init("reconcile.askAfterSilenceSeconds", .integer(1...31_536_000)),
        .init("reconcile.sweepEverySeconds", .integer(1...31_536_000)),
        .init("reconcile.requestsPerSecond", .integer(0...1_000)),
        .init("accounts.tokenNamespace", .text),
        .init("accounts.userIdIsAppAccountToken", .boolean),
        .init("accounts.transferPolicy", .choice(Settings.Accounts.TransferPolicy.names)),
        .init("catalog", .text),
        .init("log.level", .choice(Settings.Log.Level.names)),
        .init("log.format", .choice(Settings.Log.Format.names)),
    ]

    static let byPath = Dictionary(uniqueKeysWithValues: all.map { ($0.path, $0) })

    /// The paths of the maps that hold keys, such as `webhook` and `webhook.tls`.
    static let sections: Set<String> = {
        var sections: Set<String> = []
        for key in all {
            var path = key.path[...]
            while let dot = path.lastIndex(of: ".") {
                path = path[..<dot]
                sections.insert(String(path))
            }
        }
        return sections
    }()
}

/// `maxFrameBytes` → `MAX_FRAME_BYTES`, `baseURL` → `BASE_URL`: a word begins where a capital
/// follows a small letter.
private func upperSnake(_ name: Substring) -> String {
    var result = ""
    var previousIsSmall = false
    for character in name {
        if character.isUppercase, previousIsSmall { result.append("_") }
        previousIsSmall = character.isLowercase
        result += character.uppercased()
    }
    return result
}
