/// The house: rooms by floor, and why some arrows must not exist.
///
/// A room imports rooms of lower floors only. `docs/house.md` draws the same.
enum FloorPlan {
    /// The rooms of the stores: one each.
    static let stores = ["AppStore", "GooglePlay", "Stripe"]

    /// Every target of Sources, lowest floor first.
    static let floors: [[String]] = [
        ["JSON", "Randomness", "Files", "CLMDB", "COpenSSL", "CLinux", "COpenRPC"],
        [
            "Entitlements", "Signatures", "Wire", "Telemetry", "DaemonConfiguration", "Threads",
            "NetworkErrors",
        ],
        stores + ["HTTPServer", "LMDB", "Journal"],
        ["Ledger"],
        ["Methods"],
        [
            "Sockets", "Webhooks", "RemoteAPI", "Outbox", "Reconciler", "EntitlementsClient",
            "CertificateAuthority",
            "AppStoreSimulator", "PlayStoreSimulator", "StripeSimulator", "SimulatorProgram",
            "LoadGenerator",
        ],
        ["entitld", "entitlctl", "entitlbench", "appstoresim", "playstoresim", "stripesim"],
    ]

    /// Arrows that the floors would allow and that must not exist all the same.
    static let forbidden: [(from: String, to: String, reason: String)] = others + foreign

    /// What is true of one store stands in its room: only `entitld` and simulators name it.
    private static let foreign = stores.flatMap { store in
        [
            "Ledger", "Methods", "Sockets", "HTTPServer", "Webhooks", "RemoteAPI", "Outbox",
            "Reconciler",
        ]
        .map { (from: $0, to: store, reason: "stores come as protocols of the core") }
            + [(from: store, to: "Ledger", reason: "a store states facts and remembers nothing")]
    }

    private static let others: [(from: String, to: String, reason: String)] = [
        ("entitld", "CertificateAuthority", "a daemon that can mint chains could trust its own"),
        ("entitld", "AppStoreSimulator", "the simulator is for demos and tests"),
        ("entitld", "PlayStoreSimulator", "the simulator is for demos and tests"),
        ("entitld", "StripeSimulator", "the simulator is for demos and tests"),
        ("entitld", "LMDB", "only the ledger opens the database"),
        ("entitld", "Journal", "only the ledger writes the journal"),
        ("entitlctl", "Ledger", "an admin's client asks over the socket"),
        ("entitlctl", "LMDB", "an admin's client cannot open the database"),
        ("entitlctl", "Methods", "an admin's client asks over the socket"),
        ("Methods", "LMDB", "the ledger's reader is the only way to a row"),
        ("Methods", "Journal", "the ledger alone knows how truth is kept"),
        ("Ledger", "Signatures", "what reaches the ledger is verified already"),
        ("Ledger", "Wire", "the ledger does not know how it is asked"),
        ("Sockets", "Ledger", "a door hands over bytes; methods call the ledger"),
        ("Webhooks", "Ledger", "a door hands over bytes; methods call the ledger"),
        ("RemoteAPI", "Ledger", "a door hands over bytes; methods call the ledger"),
        ("Outbox", "Ledger", "methods read the journal for whom it tells"),
        ("HTTPServer", "Methods", "HTTP does not know what is asked over it"),
        ("Reconciler", "Ledger", "what was fetched is a command like any other; methods give it"),
        ("LoadGenerator", "Methods", "a load generator speaks over the socket"),
        ("LoadGenerator", "Ledger", "a load generator speaks over the socket"),
        ("Webhooks", "Signatures", "a door does not judge what it carries"),
    ]

    /// Rooms that lie on one floor and may still see each other, with the reason.
    static let neighbours: [(from: String, to: String, reason: String)] = [
        (
            "AppStoreSimulator", "CertificateAuthority",
            "the simulated store signs with a simulated authority"
        ),
        (
            "PlayStoreSimulator", "CertificateAuthority",
            "the simulated store signs with keys of its own"
        ),
        (
            "PlayStoreSimulator", "AppStoreSimulator",
            "simulated stores share their weather, their time and their server"
        ),
        (
            "StripeSimulator", "CertificateAuthority",
            "the simulated store signs with secrets of its own"
        ),
        (
            "StripeSimulator", "AppStoreSimulator",
            "simulated stores share their weather, their time and their server"
        ),
        (
            "SimulatorProgram", "AppStoreSimulator",
            "what programs of simulated stores share uses what the stores share"
        ),
        (
            "LoadGenerator", "CertificateAuthority",
            "notifications are signed before they are sent, by a chain of one's own"
        ),
    ]

    /// The file with which to begin a room, where no file has the room's name; from its folder.
    static let mainFiles: [String: String] = [
        "JSON": "JSONScanner.swift",
        "Files": "SmallFile.swift",
        "Randomness": "SplitMix64.swift",
        "CLMDB": "shim.h",
        "COpenSSL": "shim.h",
        "CLinux": "include/epoll.h",
        "COpenRPC": "include/document.h",
        "Entitlements": "Command.swift",
        "Signatures": "DocumentVerifier.swift",
        "Wire": "FrameDriver.swift",
        "Telemetry": "Metrics.swift",
        "DaemonConfiguration": "Settings.swift",
        "Threads": "NamedThread.swift",
        "LMDB": "Environment.swift",
        "Methods": "Service/MethodService.swift",
        "Sockets": "RPCServer.swift",
        "HTTPServer": "HTTPListener.swift",
        "Webhooks": "WebhookListener.swift",
        "RemoteAPI": "APIListener.swift",
        "CertificateAuthority": "SigningAuthority.swift",
        "AppStoreSimulator": "SimulatedStore.swift",
        "PlayStoreSimulator": "PlayBooks.swift",
        "StripeSimulator": "StripeBooks.swift",
        "LoadGenerator": "LoadRun.swift",
        "entitld": "Daemon.swift",
        "entitlctl": "Entitlctl.swift",
        "entitlbench": "Entitlbench.swift",
        "appstoresim": "Appstoresim.swift",
        "playstoresim": "Playstoresim.swift",
        "stripesim": "Stripesim.swift",
    ]

    /// The file with which to begin a room.
    static func mainFile(of room: String) -> String { mainFiles[room] ?? "\(room).swift" }

    /// The folders of large rooms: one uses only those before it.
    ///
    /// The empty name stands for the files of the room that are in no folder.
    static let folders: [String: [String]] = [
        "Ledger": ["Tables", "Memory", "Reading", "Writing", "", "Upkeep"],
        "Methods": [
            "", "Rows", "Status", "History", "Watching", "Errands", "Service", "Calls",
        ],
    ]

    /// The rooms in whose folders only a few files may lead to each other.
    static let roomsWithoutCircles = ["Ledger"]

    /// So many files of one folder may lead to each other.
    static let circleFilesMax = 4

    /// The floor of a room.
    static func floor(of room: String) -> Int? { floors.firstIndex { $0.contains(room) } }

    /// Whether `from` may import `to`.
    static func allows(_ from: String, _ to: String) -> Bool {
        guard let upper = floor(of: from), let lower = floor(of: to) else { return false }
        if forbidden.contains(where: { $0.from == from && $0.to == to }) { return false }
        if neighbours.contains(where: { $0.from == from && $0.to == to }) { return true }
        return lower < upper
    }
}
