extension Settings {
    /// The configuration's path where no flag names another.
    package static let defaultPath = "/etc/entitld/entitld.yaml"
    /// The catalog's path where the configuration names no other.
    package static let defaultCatalogPath = "/etc/entitld/catalog.yaml"

    /// Reads the file at `path`, lays `environment` over it, fills in defaults and checks it all.
    ///
    /// A file that cannot be read is a failure, at the default path too: a daemon that starts
    /// without its configuration would listen nowhere and say that all is well. `isDefaultPath`
    /// only chooses the sentence.
    package static func load(
        path: String,
        isDefaultPath: Bool,
        environment: [String: String]
    ) throws(ConfigurationFailure) -> Settings {
        let bytes = try readFile(
            path,
            key: isDefaultPath ? "The default for --config" : "--config",
            bytesMax: ConfigurationLimits.fileBytesMax
        )
        return try load(yaml: bytes, path: path, environment: environment)
    }

    /// As `load(path:isDefaultPath:environment:)`, with the file's bytes at hand.
    package static func load(
        yaml: [UInt8],
        path: String,
        environment: [String: String]
    ) throws(ConfigurationFailure) -> Settings {
        let document = try ConfigurationDocument(yaml, path: path)
        let values = try ConfigurationValues(root: document.root, environment: environment)
        let secrets = SecretPlaces(credentialsDirectory: environment["CREDENTIALS_DIRECTORY"])
        let apple = try apple(values, secrets)
        return Settings(
            storage: storage(values),
            rpc: try rpc(values),
            webhook: try webhook(values, secrets),
            metrics: Metrics(listen: try listenAddress(values, "metrics.listen")),
            apple: apple,
            reconcile: try reconcile(values, hasAPI: apple?.api != nil),
            accounts: try accounts(values),
            catalog: CatalogFile(
                path: values.text("catalog") ?? defaultCatalogPath,
                isNamed: values.text("catalog") != nil
            ),
            log: Log(
                level: values.text("log.level").flatMap(Log.Level.init) ?? .info,
                format: values.text("log.format").flatMap(Log.Format.init) ?? .json
            )
        )
    }

    private static func storage(_ values: ConfigurationValues) -> Storage {
        Storage(
            directory: values.text("storage.directory") ?? "/var/lib/entitld",
            mapSizeGiB: values.integer("storage.mapSizeGiB") ?? 1_024,
            journalRetentionDays: values.integer("storage.journalRetentionDays") ?? 0
        )
    }

    private static func rpc(_ values: ConfigurationValues) throws(ConfigurationFailure) -> RPC {
        let socket = try socketPath(values, "rpc.socket", "/run/entitld/entitld.sock")
        let adminSocket = try socketPath(values, "rpc.adminSocket", "/run/entitld/admin.sock")
        guard socket != adminSocket else {
            throw ConfigurationFailure(
                key: "rpc.adminSocket",
                problem: "must differ from rpc.socket"
            )
        }
        return RPC(
            socket: socket,
            socketMode: try mode(values, "rpc.socketMode", 0o660),
            adminSocket: adminSocket,
            adminSocketMode: try mode(values, "rpc.adminSocketMode", 0o600),
            access: values.access("rpc.access") ?? [],
            threads: values.integer("rpc.threads") ?? 2,
            maxFrameBytes: values.integer("rpc.maxFrameBytes") ?? 1_048_576
        )
    }

    private static func reconcile(
        _ values: ConfigurationValues,
        hasAPI: Bool
    ) throws(ConfigurationFailure) -> Reconcile? {
        guard hasAPI else {
            guard !values.has(section: "reconcile") else {
                throw ConfigurationFailure(key: "reconcile", problem: "needs apple.api")
            }
            return nil
        }
        return Reconcile(
            failuresEverySeconds: values.integer("reconcile.failuresEverySeconds") ?? 3_600,
            askAfterSilenceSeconds: values.integer("reconcile.askAfterSilenceSeconds") ?? 3_600,
            sweepEverySeconds: values.integer("reconcile.sweepEverySeconds") ?? 86_400,
            requestsPerSecond: values.integer("reconcile.requestsPerSecond") ?? 0
        )
    }

    private static func accounts(
        _ values: ConfigurationValues
    ) throws(ConfigurationFailure) -> Accounts {
        Accounts(
            tokenNamespace: values.text("accounts.tokenNamespace") ?? "entitld",
            userIdIsAppAccountToken: values.boolean("accounts.userIdIsAppAccountToken") ?? false,
            transferPolicy: values.text("accounts.transferPolicy")
                .flatMap(Accounts.TransferPolicy.init) ?? .move
        )
    }

    private static func socketPath(
        _ values: ConfigurationValues,
        _ key: String,
        _ fallback: String
    ) throws(ConfigurationFailure) -> String {
        let path = values.text(key) ?? fallback
        guard path.utf8.count <= ConfigurationLimits.socketPathBytesMax else {
            throw ConfigurationFailure(
                key: key,
                problem: "must be shorter than 108 bytes, not \(path.utf8.count)"
            )
        }
        return path
    }

    private static func mode(
        _ values: ConfigurationValues,
        _ key: String,
        _ fallback: UInt16
    ) throws(ConfigurationFailure) -> UInt16 {
        guard let text = values.text(key) else { return fallback }
        guard (3...4).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x30...0x37).contains($0) }),
            let mode = UInt16(text, radix: 8), mode <= 0o777
        else {
            throw ConfigurationFailure(
                key: key,
                problem: "must be permission bits in octal digits, such as \"0660\""
            )
        }
        return mode
    }
}
