// DaemonConfiguration reads the configuration file, the environment and the catalog file.
//
// In reading order:
//   Settings               below: everything that they decide, checked
//   ConfigurationKey       one key: its path, and what its value may be
//   ConfigurationDocument  a YAML file as one tree; ConfigurationNode is a value in it
//   ConfigurationValues    what the file and the environment say to each key
//   CatalogSettings        the catalog: what products give
//   Secret                 a value that is never shown; SecretFile is where it lies
//   AccessToken            who may ask at the HTTPS door, as the file of tokens says
//   ListenAddress          where a listener binds; AddressRange says who may come
//
// Its laws:
//   1. A key that is not known, or stands twice, is a failure: nothing is ignored.
//   2. A failure is one sentence that names the key.
//   3. The environment stands before the file.
//   4. A secret is never in the file itself, and never printed.
//
// It never opens a socket, makes a directory, or decides what a product means.

/// Everything that the configuration file and the environment decide, checked.
package struct Settings: Sendable, Equatable {
    /// Where the data lie.
    package struct Storage: Sendable, Equatable {
        /// The data directory, made with mode 0700 where it is missing.
        package let directory: String
        /// The address space of the views' map.
        package let mapSizeGiB: Int
        /// After how many days journal segments go; 0 keeps all.
        package let journalRetentionDays: Int
    }

    /// The Unix sockets.
    package struct RPC: Sendable, Equatable {
        /// What a caller may ask; each role includes the ones before it.
        package enum Role: String, Sendable, CaseIterable {
            case reader
            case app
            case support
            case admin
            static let names = allCases.map(\.rawValue)
        }

        /// A role that the kernel's word on the caller's identity gives.
        package struct Access: Sendable, Equatable {
            /// Whom a rule is about.
            package enum Peer: Sendable, Equatable {
                case user(UInt32)
                case group(UInt32)
            }

            /// Whom it is about.
            package let peer: Peer
            /// What they may ask, up to the socket's ceiling.
            package let role: Role
        }

        /// The path of the app servers' socket.
        package let socket: String
        /// Its permission bits.
        package let socketMode: UInt16
        /// The path of the admins' socket.
        package let adminSocket: String
        /// Its permission bits.
        package let adminSocketMode: UInt16
        /// Empty: who can connect has the socket's role.
        package let access: [Access]
        /// How many threads serve the sockets.
        package let threads: Int
        /// The longest frame that is read or written.
        package let maxFrameBytes: Int
        /// Whether clients on this host may keep answers (docs/shared-answers.md).
        package let sharedAnswers: Bool
    }

    /// The listener for metrics and health.
    package struct Metrics: Sendable, Equatable {
        /// Nil: no listener.
        package let listen: ListenAddress?
    }

    /// Asking the stores again.
    package struct Reconcile: Sendable, Equatable {
        /// How often failed deliveries are fetched.
        package let failuresEverySeconds: Int
        /// How long before its end a renewal that was not heard is asked about; 0: not.
        package let askBeforeEndSeconds: Int
        /// How long a due renewal may be silent.
        package let askAfterSilenceSeconds: Int
        /// How often everything is asked for.
        package let sweepEverySeconds: Int
        /// 0: half of Apple's limit.
        package let requestsPerSecond: Int
    }

    /// How users and their tokens hang together.
    package struct Accounts: Sendable, Equatable {
        /// What a restored purchase of another user does.
        package enum TransferPolicy: String, Sendable, CaseIterable {
            case move
            case share
            case refuse
            static let names = allCases.map(\.rawValue)
        }

        /// What derived tokens begin with.
        package let tokenNamespace: String
        /// Whether a userId that is a UUID is its own token.
        package let userIdIsAppAccountToken: Bool
        /// For restorePurchases alone.
        package let transferPolicy: TransferPolicy
    }

    /// Where the catalog is.
    package struct CatalogFile: Sendable, Equatable {
        /// Its path.
        package let path: String
        /// Whether somebody named it; the default path may be absent.
        package let isNamed: Bool

        /// A catalog's place.
        package init(path: String, isNamed: Bool) {
            self.path = path
            self.isNamed = isNamed
        }
    }

    /// What is logged.
    package struct Log: Sendable, Equatable {
        /// The least level that is written.
        package enum Level: String, Sendable, CaseIterable {
            case trace
            case debug
            case info
            case notice
            case warning
            case error
            case critical
            static let names = allCases.map(\.rawValue)
        }

        /// How a line looks.
        package enum Format: String, Sendable, CaseIterable {
            case json
            case text
            static let names = allCases.map(\.rawValue)
        }

        /// The least level that is written.
        package let level: Level
        /// How a line looks.
        package let format: Format
    }

    /// Where the data lie.
    package let storage: Storage
    /// The Unix sockets.
    package let rpc: RPC
    /// Nil: no listener.
    package let webhook: Webhook?
    /// Nil: no HTTPS door for callers.
    package let api: API?
    /// The systems that are told of changes.
    package let outboxes: [Outbox]
    /// Metrics and health.
    package let metrics: Metrics
    /// Nil: Apple is not configured.
    package let apple: Apple?
    /// Nil: Google Play is not configured.
    package let google: Google?
    /// Nil: Stripe is not configured.
    package let stripe: Stripe?
    /// Nil without an API to ask.
    package let reconcile: Reconcile?
    /// Users and tokens.
    package let accounts: Accounts
    /// Where the catalog is.
    package let catalog: CatalogFile
    /// What is logged.
    package let log: Log
}

extension Settings {
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
        let google = try google(values, secrets)
        let stripe = try stripe(values, secrets)
        return Settings(
            storage: storage(values),
            rpc: try rpc(values),
            webhook: try webhook(values, secrets),
            api: try remoteAPI(values, secrets),
            outboxes: try outboxes(values, secrets),
            metrics: Metrics(listen: try listenAddress(values, "metrics.listen")),
            apple: apple,
            google: google,
            stripe: stripe,
            reconcile: try reconcile(
                values,
                hasAPI: apple?.api != nil || google != nil || stripe?.api != nil
            ),
            accounts: try accounts(values),
            catalog: CatalogFile(
                path: values.value("catalog"),
                isNamed: values.gives("catalog")
            ),
            log: Log(
                level: values.choice("log.level"),
                format: values.choice("log.format")
            )
        )
    }

    private static func storage(_ values: ConfigurationValues) -> Storage {
        Storage(
            directory: values.value("storage.directory"),
            mapSizeGiB: values.value("storage.mapSizeGiB"),
            journalRetentionDays: values.value("storage.journalRetentionDays")
        )
    }

    private static func rpc(_ values: ConfigurationValues) throws(ConfigurationFailure) -> RPC {
        let socket = try socketPath(values, "rpc.socket")
        let adminSocket = try socketPath(values, "rpc.adminSocket")
        guard socket != adminSocket else {
            throw .wrong("rpc.adminSocket", "must differ from rpc.socket")
        }
        return RPC(
            socket: socket,
            socketMode: try mode(values, "rpc.socketMode"),
            adminSocket: adminSocket,
            adminSocketMode: try mode(values, "rpc.adminSocketMode"),
            access: values.value("rpc.access"),
            threads: values.value("rpc.threads"),
            maxFrameBytes: values.value("rpc.maxFrameBytes"),
            sharedAnswers: try sharedAnswers(values)
        )
    }

    private static func sharedAnswers(
        _ values: ConfigurationValues
    ) throws(ConfigurationFailure) -> Bool {
        let isOn: Bool = values.value("rpc.sharedAnswers")
        let folds: Bool = values.value("accounts.userIdIsAppAccountToken")
        guard !isOn || !folds else {
            throw .wrong(
                "rpc.sharedAnswers",
                "cannot be true together with accounts.userIdIsAppAccountToken, where one user id"
                    + " may be written in several ways"
            )
        }
        return isOn
    }

    private static func reconcile(
        _ values: ConfigurationValues,
        hasAPI: Bool
    ) throws(ConfigurationFailure) -> Reconcile? {
        guard hasAPI else {
            guard !values.has(section: "reconcile") else {
                throw .wrong("reconcile", "needs an api of a store")
            }
            return nil
        }
        return Reconcile(
            failuresEverySeconds: values.value("reconcile.failuresEverySeconds"),
            askBeforeEndSeconds: values.value("reconcile.askBeforeEndSeconds"),
            askAfterSilenceSeconds: values.value("reconcile.askAfterSilenceSeconds"),
            sweepEverySeconds: values.value("reconcile.sweepEverySeconds"),
            requestsPerSecond: values.value("reconcile.requestsPerSecond")
        )
    }

    private static func accounts(
        _ values: ConfigurationValues
    ) throws(ConfigurationFailure) -> Accounts {
        Accounts(
            tokenNamespace: values.value("accounts.tokenNamespace"),
            userIdIsAppAccountToken: values.value("accounts.userIdIsAppAccountToken"),
            transferPolicy: values.choice("accounts.transferPolicy")
        )
    }

    private static func socketPath(
        _ values: ConfigurationValues,
        _ key: String
    ) throws(ConfigurationFailure) -> String {
        let path: String = values.value(key)
        guard path.utf8.count <= ConfigurationLimits.socketPathBytesMax else {
            throw .wrong(key, "must be shorter than 108 bytes, not \(path.utf8.count)")
        }
        return path
    }

    private static func mode(
        _ values: ConfigurationValues,
        _ key: String
    ) throws(ConfigurationFailure) -> UInt16 {
        let text: String = values.value(key)
        guard (3...4).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x30...0x37).contains($0) }),
            let mode = UInt16(text, radix: 8), mode <= 0o777
        else {
            throw .wrong(key, "must be permission bits in octal digits, such as \"0660\"")
        }
        return mode
    }
}
