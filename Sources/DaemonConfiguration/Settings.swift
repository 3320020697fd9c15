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
    }

    /// The HTTPS listener for notifications.
    package struct Webhook: Sendable, Equatable {
        /// How bytes travel.
        package enum Transport: Sendable, Equatable {
            /// TLS with the certificate chain and the key in these PEM files.
            case tls(certificatePath: String, privateKey: SecretFile)
            /// Plain HTTP: only behind a TLS proxy or on loopback.
            case plaintext
        }

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

    /// The listener for metrics and health.
    package struct Metrics: Sendable, Equatable {
        /// Nil: no listener.
        package let listen: ListenAddress?
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
    /// Metrics and health.
    package let metrics: Metrics
    /// Nil: Apple is not configured.
    package let apple: Apple?
    /// Nil without an API to ask.
    package let reconcile: Reconcile?
    /// Users and tokens.
    package let accounts: Accounts
    /// Where the catalog is.
    package let catalog: CatalogFile
    /// What is logged.
    package let log: Log
}
