/// Where a secret may lie.
struct SecretPlaces {
    let credentialsDirectory: String?

    /// The file that the key `path` (`….privateKeyFile`) names, checked by reading it once.
    ///
    /// First match wins: a name without a slash that is a credential, the path itself; without a
    /// value the credential named as the key without `File`, such as `apple.api.privateKey`.
    func file(
        _ key: String,
        _ values: ConfigurationValues
    ) throws(ConfigurationFailure) -> SecretFile? {
        if let name: String = values[key] { return try file(named: name, key) }
        guard let directory = credentialsDirectory else { return nil }
        let path = "\(directory)/\(key.dropLast("File".count))"
        guard isReadable(path) else { return nil }
        let file = SecretFile(key: key, path: path, isCredential: true)
        _ = try file.read()
        return file
    }

    /// The same for a key that must name one.
    func required(
        _ key: String,
        _ values: ConfigurationValues
    ) throws(ConfigurationFailure) -> SecretFile {
        guard let file = try file(key, values) else { throw .missing(key) }
        return file
    }

    /// The file that a value names, checked by reading it once: a credential where it has no slash,
    /// else a path.
    func file(named name: String, _ key: String) throws(ConfigurationFailure) -> SecretFile {
        let file: SecretFile
        if !name.contains("/"), let directory = credentialsDirectory {
            file = SecretFile(key: key, path: "\(directory)/\(name)", isCredential: true)
        } else {
            file = SecretFile(key: key, path: name, isCredential: isCredential(name))
        }
        _ = try file.read()
        return file
    }

    private func isCredential(_ path: String) -> Bool {
        guard let credentialsDirectory else { return false }
        return path.hasPrefix(credentialsDirectory + "/") && !path.contains("/../")
    }

    private func isReadable(_ path: String) -> Bool {
        (try? readFile(path, key: path, bytesMax: ConfigurationLimits.secretBytesMax)) != nil
    }
}

extension Settings {
    /// How bytes travel.
    package enum Transport: Sendable, Equatable {
        /// TLS with the certificate chain and the key in these PEM files.
        case tls(certificatePath: String, privateKey: SecretFile)
        /// Plain HTTP: only behind a TLS proxy or on loopback.
        case plaintext
    }

    /// The HTTPS listener for notifications.
    package struct Webhook: Sendable, Equatable {
        /// Where it listens.
        package let listen: ListenAddress
        /// TLS or plain HTTP.
        package let transport: Transport
        /// Who may send; empty: everybody.
        package let allowedSources: [AddressRange]
        /// Whose X-Forwarded-For is believed.
        package let trustedProxies: [AddressRange]
        /// What the path must end with.
        package let pathSecret: Secret<[UInt8]>?
    }

    /// Apple's App Store.
    package struct Apple: Sendable, Equatable {
        /// The environments that exist.
        package enum Environment: String, Sendable, CaseIterable {
            case production = "Production"
            case sandbox = "Sandbox"
            static let names = allCases.map(\.rawValue)
        }

        /// Whom sandbox purchases let in.
        package enum SandboxAccess: String, Sendable, CaseIterable {
            case all
            case listed
            case none
            static let names = allCases.map(\.rawValue)
        }

        /// How to ask the App Store Server API.
        package struct API: Sendable, Equatable {
            /// The issuer from App Store Connect.
            package let issuerId: String
            /// The key's name.
            package let keyId: String
            /// The key, in PEM.
            package let privateKey: SecretFile
            /// What replaces Apple's hosts.
            package let baseURL: String?
        }

        /// One more app of the same developer account.
        package struct App: Sendable, Equatable {
            /// The app.
            package let bundleId: String
            /// The app's number; there where Production is accepted.
            package let appAppleId: Int?

            /// An app.
            package init(bundleId: String, appAppleId: Int?) {
                self.bundleId = bundleId
                self.appAppleId = appAppleId
            }
        }

        /// What the number of an app may be.
        static let appleIds = 1...9_007_199_254_740_991

        /// The app.
        package let bundleId: String
        /// The app's number; there where Production is accepted.
        package let appAppleId: Int?
        /// More apps, no bundle id twice.
        package let apps: [App]
        /// Which environments are accepted, without repetition.
        package let environments: [Environment]
        /// Whom sandbox purchases let in.
        package let sandboxAccess: SandboxAccess
        /// The users for `listed`.
        package let sandboxUsers: [String]
        /// What replaces the built-in root; empty: Apple Root CA - G3.
        package let rootCertificateFiles: [String]
        /// What replaces the built-in root for receipts; empty: that of Apple Inc.
        package let receiptRootCertificateFiles: [String]
        /// Certificates that are refused though they verify.
        package let blockedSerials: Set<CertificateSerial>
        /// Nil: no API calls.
        package let api: API?
    }

    static func webhook(
        _ values: ConfigurationValues,
        _ secrets: SecretPlaces
    ) throws(ConfigurationFailure) -> Webhook? {
        let listen = try listenAddress(values, "webhook.listen")
        let allowed = try ranges(values, "webhook.allowedSources")
        let proxies = try ranges(values, "webhook.trustedProxies")
        guard let listen else { return nil }
        return Webhook(
            listen: listen,
            transport: try transport(values, secrets, of: "webhook"),
            allowedSources: allowed,
            trustedProxies: proxies,
            pathSecret: try pathSecret(values, secrets)
        )
    }

    /// What the section of a listener says of TLS.
    static func transport(
        _ values: ConfigurationValues,
        _ secrets: SecretPlaces,
        of section: String
    ) throws(ConfigurationFailure) -> Transport {
        let plaintext = values.value("\(section).plaintext") as Bool
        guard values.has(section: "\(section).tls") else {
            guard plaintext else {
                throw .wrong(
                    "\(section).tls",
                    "is missing; only \(section).plaintext: true goes without it"
                )
            }
            return .plaintext
        }
        guard !plaintext else {
            throw .wrong("\(section).plaintext", "cannot be true where \(section).tls stands")
        }
        let certificateKey = "\(section).tls.certificateFile"
        let certificatePath = try values.required(certificateKey)
        try checkReadable([certificatePath], certificateKey)
        let privateKey = try secrets.required("\(section).tls.privateKeyFile", values)
        return .tls(certificatePath: certificatePath, privateKey: privateKey)
    }

    private static func pathSecret(
        _ values: ConfigurationValues,
        _ secrets: SecretPlaces
    ) throws(ConfigurationFailure) -> Secret<[UInt8]>? {
        let key = "webhook.pathSecretFile"
        guard let file = try secrets.file(key, values) else { return nil }
        var bytes = try file.read().revealed
        while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
        guard (1...256).contains(bytes.count), bytes.allSatisfy(isPathByte) else {
            throw .wrong(key, "must name a file with 1 to 256 letters, digits, or any of - . _ ~")
        }
        return Secret(bytes)
    }

    static func apple(
        _ values: ConfigurationValues,
        _ secrets: SecretPlaces
    ) throws(ConfigurationFailure) -> Apple? {
        guard values.has(section: "apple") else { return nil }
        let bundleId = try values.required("apple.bundleId")
        var environments: [Apple.Environment] = []
        for name in values.value("apple.environments") as [String] {
            guard let environment = Apple.Environment(rawValue: name),
                !environments.contains(environment)
            else { continue }
            environments.append(environment)
        }
        guard !environments.isEmpty else {
            throw .wrong("apple.environments", "must name Production, Sandbox or both")
        }
        let appAppleId: Int? = values["apple.appAppleId"]
        guard appAppleId != nil || !environments.contains(.production) else {
            throw .wrong("apple.appAppleId", "is required where apple.environments has Production")
        }
        let apps = try apps(values, besides: bundleId, environments)
        let roots: [String] = values.value("apple.rootCertificateFiles")
        try checkReadable(roots, "apple.rootCertificateFiles")
        let receiptRoots: [String] = values.value("apple.receiptRootCertificateFiles")
        try checkReadable(receiptRoots, "apple.receiptRootCertificateFiles")
        return Apple(
            bundleId: bundleId,
            appAppleId: appAppleId,
            apps: apps,
            environments: environments,
            sandboxAccess: values.choice("apple.sandboxAccess"),
            sandboxUsers: values.value("apple.sandboxUsers"),
            rootCertificateFiles: roots,
            receiptRootCertificateFiles: receiptRoots,
            blockedSerials: try blockedSerials(values),
            api: try api(values, secrets)
        )
    }

    private static func apps(
        _ values: ConfigurationValues,
        besides bundleId: String,
        _ environments: [Apple.Environment]
    ) throws(ConfigurationFailure) -> [Apple.App] {
        let apps: [Apple.App] = values.value("apple.apps")
        var known: Set<String> = [bundleId]
        for (index, app) in apps.enumerated() {
            let key = "apple.apps[\(index)]"
            guard app.appAppleId != nil || !environments.contains(.production) else {
                throw .wrong(
                    "\(key).appAppleId",
                    "is required where apple.environments has Production"
                )
            }
            guard known.insert(app.bundleId).inserted else {
                throw .wrong("\(key).bundleId", "stands there twice: \(app.bundleId)")
            }
        }
        return apps
    }

    private static func blockedSerials(
        _ values: ConfigurationValues
    ) throws(ConfigurationFailure) -> Set<CertificateSerial> {
        let key = "apple.blockedSerials"
        var serials: Set<CertificateSerial> = []
        for (index, text) in (values.value(key) as [String]).enumerated() {
            guard let serial = CertificateSerial(text) else {
                throw .wrong(
                    "\(key)[\(index)]",
                    "must be a certificate's serial number in hexadecimal digits, such as"
                        + " 0A:1B:2C, not \"\(text)\""
                )
            }
            serials.insert(serial)
        }
        return serials
    }

    private static func api(
        _ values: ConfigurationValues,
        _ secrets: SecretPlaces
    ) throws(ConfigurationFailure) -> Apple.API? {
        guard values.has(section: "apple.api") else { return nil }
        let issuerId = try values.required("apple.api.issuerId")
        let keyId = try values.required("apple.api.keyId")
        let privateKey = try secrets.required("apple.api.privateKeyFile", values)
        let baseURL: String? = values["apple.api.baseURL"]
        if let baseURL { try checkBaseURL(baseURL, "apple.api.baseURL") }
        return Apple.API(
            issuerId: issuerId,
            keyId: keyId,
            privateKey: privateKey,
            baseURL: baseURL
        )
    }

    /// https to anywhere, http to this host alone: the calls carry a token that opens the account.
    static func checkBaseURL(
        _ url: String,
        _ key: String,
        allowingQuery: Bool = false
    ) throws(ConfigurationFailure) {
        let isSecure = url.hasPrefix("https://")
        guard isSecure || url.hasPrefix("http://") else {
            throw .wrong(key, "must begin with https:// or http://")
        }
        let rest = url.dropFirst(isSecure ? 8 : 7)
        let authority = rest.prefix { $0 != "/" }
        let foreign = allowingQuery ? "#@\\ " : "?#@\\ "
        guard !authority.isEmpty, !rest.contains(where: { foreign.contains($0) }),
            let host = host(of: String(authority))
        else {
            throw .wrong(key, "must be a scheme, a host, a port and a path, and nothing else")
        }
        guard isSecure || host == "localhost" || IPAddress(host)?.isLoopback == true else {
            throw .wrong(key, "may use http only to loopback")
        }
    }

    private static func host(of authority: String) -> String? {
        let hasPort = ListenAddress(authority)
        return (hasPort ?? ListenAddress(authority + ":443"))?.host
    }

    static func listenAddress(
        _ values: ConfigurationValues,
        _ key: String
    ) throws(ConfigurationFailure) -> ListenAddress? {
        guard let text: String = values[key] else { return nil }
        guard let address = ListenAddress(text) else {
            throw .wrong(
                key,
                "must be an address and a port, such as 127.0.0.1:8443, not \"\(text)\""
            )
        }
        return address
    }

    static func ranges(
        _ values: ConfigurationValues,
        _ key: String
    ) throws(ConfigurationFailure) -> [AddressRange] {
        var ranges: [AddressRange] = []
        for (index, text) in (values.value(key) as [String]).enumerated() {
            guard let range = AddressRange(text) else {
                throw .wrong(
                    "\(key)[\(index)]",
                    "must be a range of addresses, such as 17.0.0.0/8, not \"\(text)\""
                )
            }
            ranges.append(range)
        }
        return ranges
    }

    private static func checkReadable(
        _ paths: [String],
        _ key: String
    ) throws(ConfigurationFailure) {
        for path in paths {
            _ = try readFile(path, key: key, bytesMax: ConfigurationLimits.secretBytesMax)
        }
    }

    private static func isPathByte(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigit || "-._~".utf8.contains(byte)
    }
}
