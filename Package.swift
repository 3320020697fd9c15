// swift-tools-version: 6.2

// The house: every room is a target and imports only rooms on lower floors (docs/house.md). A test
// holds this manifest and the import lines to that plan.

import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// The core, what keeps it, and what tests do millions of times: optimised in debug builds, too,
/// where every precondition stays.
///
/// None of it is what `EntitlementsClient` needs, since a target
/// with such flags cannot be a part of another package.
let hurried: Set<String> = [
    "AppStore", "Entitlements", "EntitlementsTests", "Journal", "LMDB", "Ledger", "Methods",
    "Signatures",
]

func settings(of name: String) -> [SwiftSetting] {
    guard hurried.contains(name) else { return settings }
    return settings + [.unsafeFlags(["-O"], .when(configuration: .debug))]
}

func room(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings(of: name))
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// A test target.
///
/// In optimised builds its own code is not optimised unless it is `hurried`, which halves the time
/// of its build; what it tests is.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    let plain: [SwiftSetting] = [.unsafeFlags(["-Onone"], .when(configuration: .release))]
    return .testTarget(
        name: name,
        dependencies: dependencies,
        swiftSettings: settings(of: name) + (hurried.contains(name) ? [] : plain)
    )
}

let nio: [Target.Dependency] = [
    .product(name: "NIOCore", package: "swift-nio"),
    .product(name: "NIOPosix", package: "swift-nio"),
    .product(name: "NIOHTTP1", package: "swift-nio"),
    .product(name: "NIOSSL", package: "swift-nio-ssl"),
    .product(name: "NIOTLS", package: "swift-nio"),
]
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let arguments: Target.Dependency = .product(
    name: "ArgumentParser",
    package: "swift-argument-parser"
)
let yams: Target.Dependency = .product(name: "Yams", package: "Yams")
let deque: Target.Dependency = .product(name: "DequeModule", package: "swift-collections")
let httpClient: Target.Dependency = .product(name: "AsyncHTTPClient", package: "async-http-client")

let package = Package(
    name: "entitld",
    products: [
        .executable(name: "entitld", targets: ["entitld"]),
        .executable(name: "entitlctl", targets: ["entitlctl"]),
        .executable(name: "appstoresim", targets: ["appstoresim"]),
        .executable(name: "playstoresim", targets: ["playstoresim"]),
        .executable(name: "stripesim", targets: ["stripesim"]),
        .executable(name: "entitlbench", targets: ["entitlbench"]),
        .library(name: "EntitlementsClient", targets: ["EntitlementsClient"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    ],
    targets: [
        // Floor 0: strict JSON; numbers that a seed repeats; small files; system libraries.
        room("JSON"),
        room("Randomness"),
        room("Files"),
        .systemLibrary(name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .target(name: "CLinux"),
        .target(name: "COpenRPC"),

        // Floor 1: the pure core; signed documents; frames and JSON-RPC; what programs need.
        room("Entitlements"),
        room("Signatures", ["COpenSSL", "JSON"]),
        room("Wire", ["JSON"]),
        room("Telemetry", [logging]),
        room("DaemonConfiguration", [yams]),
        room("Threads", ["CLinux"]),
        room("NetworkErrors", nio + [httpClient]),

        // Floor 2: other people's languages; the two kinds of disk.
        room("AppStore", ["Entitlements", "JSON", "Signatures"]),
        room("GooglePlay", ["Entitlements", "JSON", "Signatures"]),
        room("Stripe", ["Entitlements", "JSON", "Signatures"]),
        room("LMDB", ["CLMDB", "CLinux"]),
        room("Journal", ["CLinux"]),
        room(
            "HTTPServer",
            nio + ["DaemonConfiguration", "Entitlements", "NetworkErrors", "Telemetry"]
        ),

        // Floor 3: what is remembered.
        room("Ledger", ["CLinux", "Entitlements", "Journal", "LMDB", "Threads"]),

        // Floor 4: what can be asked.
        room(
            "Methods",
            [
                "COpenRPC", "Entitlements", "JSON", "Ledger", "Signatures", "Telemetry", "Threads",
                "Wire", deque,
            ]
        ),

        // Floor 5: the doors.
        room("Sockets", ["CLinux", "Threads", "Wire"]),
        room(
            "Webhooks",
            [
                "DaemonConfiguration", "Entitlements", "HTTPServer", "Telemetry", "Threads",
                logging,
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),
        room(
            "RemoteAPI",
            [
                "DaemonConfiguration", "HTTPServer", "JSON", "Signatures", "Telemetry", "Threads",
                "Wire",
                logging,
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),
        room(
            "EntitlementsClient",
            [
                "JSON", "NetworkErrors", "Wire", httpClient,
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]
        ),
        room("CertificateAuthority", ["COpenSSL", "JSON"]),
        room(
            "AppStoreSimulator",
            [
                "CertificateAuthority", "JSON", "Randomness", httpClient,
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]
        ),
        room(
            "PlayStoreSimulator",
            [
                "AppStoreSimulator", "CertificateAuthority", "JSON", "Randomness", httpClient,
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ]
        ),
        room(
            "StripeSimulator",
            [
                "AppStoreSimulator", "CertificateAuthority", "JSON", "Randomness", httpClient,
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ]
        ),
        room("SimulatorProgram", ["AppStoreSimulator", "JSON", arguments]),
        room(
            "Reconciler",
            [
                "Entitlements", "Files", "JSON", "NetworkErrors", "Telemetry", httpClient,
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ]
        ),
        room(
            "Outbox",
            [
                "Entitlements", "Files", "JSON", "Methods", "NetworkErrors", "Signatures",
                "Telemetry", "Threads", "Wire", httpClient,
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]
        ),
        room("LoadGenerator", ["CLinux", "CertificateAuthority", "Randomness", "Wire"]),

        // Floor 6: parse arguments, assemble, run.
        program(
            "entitld",
            [
                "AppStore", "CLinux", "DaemonConfiguration", "Entitlements", "GooglePlay",
                "HTTPServer", "JSON", "Ledger", "Methods", "Outbox", "Reconciler", "RemoteAPI",
                "Signatures", "Sockets", "Stripe", "Telemetry", "Threads", "Webhooks", "Wire",
                arguments,
                logging,
            ]
        ),
        program(
            "entitlctl",
            ["CLinux", "EntitlementsClient", "JSON", "Signatures", "Threads", arguments]
        ),
        program("appstoresim", ["AppStoreSimulator", "JSON", "SimulatorProgram", arguments]),
        program(
            "playstoresim",
            ["AppStoreSimulator", "PlayStoreSimulator", "SimulatorProgram", arguments]
        ),
        program(
            "stripesim",
            ["AppStoreSimulator", "SimulatorProgram", "StripeSimulator", arguments]
        ),
        program("entitlbench", ["JSON", "LoadGenerator", arguments]),

        .target(
            name: "Fixtures",
            dependencies: [
                "AppStore", "CertificateAuthority", "Chance", "Entitlements", "Forgery", "JSON",
                "Ledger",
            ],
            path: "Tests/Fixtures",
            swiftSettings: settings
        ),
        // Keys, certificates and receipts in parts, each of which may be wrong.
        .target(
            name: "Forgery",
            dependencies: ["COpenSSL", "JSON"],
            path: "Tests/Forgery",
            swiftSettings: settings
        ),
        .target(
            name: "Chance",
            dependencies: ["Randomness"],
            path: "Tests/Chance",
            swiftSettings: settings
        ),
        .target(
            name: "TestSupport",
            dependencies: ["COpenRPC", "JSON", "Journal"],
            path: "Tests/TestSupport",
            swiftSettings: settings
        ),
        .target(
            name: "SimulatorSupport",
            dependencies: [
                "AppStoreSimulator", "CertificateAuthority", "JSON", "Signatures", "TestSupport",
            ],
            path: "Tests/SimulatorSupport",
            swiftSettings: settings
        ),
        tests("JSONTests", ["Chance", "JSON"]),
        tests("WireTests", ["Chance", "JSON", "Threads", "Wire"]),
        tests(
            "SocketsTests",
            ["Chance", "CLinux", "JSON", "Sockets", "TestSupport", "Threads", "Wire"]
        ),
        tests("EntitlementsTests", ["AppStore", "Chance", "Entitlements", "Fixtures", "JSON"]),
        tests(
            "SignaturesTests",
            [
                "CertificateAuthority", "Chance", "COpenSSL", "Fixtures", "Forgery", "JSON",
                "Signatures", "TestSupport",
            ]
        ),
        tests(
            "AppStoreTests",
            [
                "AppStore", "CertificateAuthority", "Chance", "Entitlements", "Fixtures",
                "Forgery", "JSON", "Signatures",
            ]
        ),
        tests(
            "GooglePlayTests",
            [
                "CertificateAuthority", "Chance", "Entitlements", "GooglePlay", "JSON",
                "Signatures",
            ]
        ),
        tests("StripeTests", ["Chance", "Entitlements", "JSON", "Signatures", "Stripe"]),
        tests("LMDBTests", ["Chance", "LMDB", "TestSupport"]),
        tests("JournalTests", ["Chance", "CLinux", "Journal", "TestSupport"]),
        tests(
            "LedgerTests",
            [
                "Chance", "CLinux", "CLMDB", "Entitlements", "Fixtures", "Journal", "Ledger",
                "LMDB", "TestSupport", "Threads",
            ]
        ),
        // Not a test: what contrib/bench/instructions.sh counts the instructions of.
        .executableTarget(
            name: "HotPath",
            dependencies: ["Entitlements", "Ledger", "Methods", "Telemetry", "Threads", "Wire"],
            path: "Tests/HotPath",
            swiftSettings: settings
        ),
        // Not a test: what Tests/Conformance/run.py runs for the Swift client.
        .executableTarget(
            name: "Conform",
            dependencies: ["EntitlementsClient", "JSON"],
            path: "Tests/Conform",
            swiftSettings: settings
        ),
        tests(
            "MethodsTests",
            [
                "AppStore", "CertificateAuthority", "Chance", "DaemonConfiguration", "entitld",
                "Entitlements", "EntitlementsClient", "Fixtures", "JSON", "Ledger", "Methods",
                "Telemetry", "TestSupport", "Threads", "Wire",
            ]
        ),
        tests("TelemetryTests", ["Telemetry", logging]),
        tests(
            "NetworkErrorsTests",
            [
                "NetworkErrors", httpClient,
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),
        tests("DaemonConfigurationTests", ["DaemonConfiguration", "TestSupport"]),
        tests(
            "WebhooksTests",
            nio + [
                "DaemonConfiguration", "Entitlements", "HTTPServer", "Telemetry", "TestSupport",
                "Webhooks", logging,
            ]
        ),
        tests(
            "RemoteAPITests",
            [
                "DaemonConfiguration", "entitld", "HTTPServer", "JSON", "Ledger", "Methods",
                "RemoteAPI", "Signatures", "Telemetry", "TestSupport", "Threads", "Wire", logging,
            ]
        ),
        tests(
            "OutboxTests",
            [
                "Entitlements", "Files", "JSON", "Methods", "Outbox", "Telemetry", "TestSupport",
                "Wire",
            ]
        ),
        tests("EntitlementsClientTests", ["EntitlementsClient", "JSON", "TestSupport", "Wire"]),
        tests("entitlctlTests", ["entitlctl", "JSON", "Signatures", "TestSupport"]),
        tests(
            "AppStoreSimulatorTests",
            nio + [
                "AppStoreSimulator", "CertificateAuthority", "JSON", "SimulatorSupport",
                "Signatures",
                "TestSupport",
            ]
        ),
        tests(
            "PlayStoreSimulatorTests",
            [
                "AppStoreSimulator", "Entitlements", "GooglePlay", "JSON", "PlayStoreSimulator",
                "Signatures", "TestSupport",
            ]
        ),
        tests(
            "StripeSimulatorTests",
            [
                "AppStoreSimulator", "Entitlements", "JSON", "Signatures", "Stripe",
                "StripeSimulator", "TestSupport",
            ]
        ),
        tests(
            "DaemonTests",
            nio + [
                "AppStoreSimulator", "CertificateAuthority", "Chance", "entitlctl", "entitld",
                "Entitlements", "EntitlementsClient", "Fixtures", "Forgery", "HTTPServer", "JSON",
                "Ledger", "LMDB", "Methods", "PlayStoreSimulator", "Sockets", "Signatures",
                "StripeSimulator", "TestSupport", "Webhooks", "Wire",
            ]
        ),
        tests(
            "ReconcilerTests",
            nio + [
                "AppStore", "AppStoreSimulator", "CertificateAuthority", "Chance", "Entitlements",
                "Fixtures", "JSON", "SimulatorSupport", "Reconciler", "Signatures", "Telemetry",
                "TestSupport",
            ]
        ),
        tests("LoadGeneratorTests", ["CLinux", "JSON", "LoadGenerator", "TestSupport"]),
        tests(
            "ProtoTests",
            ["EntitlementsClient", "JSON", "Methods", "TestSupport", "Wire"]
        ),
        tests("HouseTests", ["JSON"]),
    ],
    swiftLanguageModes: [.v6]
)
