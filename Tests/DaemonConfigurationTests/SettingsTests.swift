import DaemonConfiguration
import Foundation
import TestSupport
import Testing

struct SettingsTests {
    @Test func `an empty file gives the defaults`() throws {
        let settings = try settings("")
        #expect(settings.storage.directory == "/var/lib/entitld")
        #expect(settings.storage.mapSizeGiB == 1_024)
        #expect(settings.storage.journalRetentionDays == 0)
        #expect(settings.rpc.socket == "/run/entitld/entitld.sock")
        #expect(settings.rpc.socketMode == 0o660)
        #expect(settings.rpc.adminSocket == "/run/entitld/admin.sock")
        #expect(settings.rpc.adminSocketMode == 0o600)
        #expect(settings.rpc.access.isEmpty)
        #expect(settings.rpc.threads == 2)
        #expect(settings.rpc.maxFrameBytes == 1_048_576)
        #expect(settings.webhook == nil)
        #expect(settings.metrics.listen == nil)
        #expect(settings.apple == nil)
        #expect(settings.reconcile == nil)
        #expect(settings.accounts.tokenNamespace == "entitld")
        #expect(!settings.accounts.userIdIsAppAccountToken)
        #expect(settings.accounts.transferPolicy == .move)
        #expect(settings.catalog.path == "/etc/entitld/catalog.yaml")
        #expect(!settings.catalog.isNamed)
        #expect(settings.log.level == .info)
        #expect(settings.log.format == .json)
    }

    @Test func `every key is read`() throws {
        let scratch = try Scratch()
        let key = try scratch.file("key.p8", "key")
        let root = try scratch.file("root.cer", "root", mode: 0o644)
        let secret = try scratch.file("path-secret", "s3cret-path\n")
        let settings = try settings(
            """
            storage: { directory: /data, mapSizeGiB: 8, journalRetentionDays: 30 }
            rpc:
              socket: /tmp/a.sock
              socketMode: "0666"
              adminSocket: /tmp/b.sock
              adminSocketMode: "0660"
              access: [{uid: 1000, role: reader}, {gid: 2000, role: app}]
              threads: 4
              maxFrameBytes: 2097152
            webhook:
              listen: "[::]:8443"
              tls: { certificateFile: \(root), privateKeyFile: \(key) }
              allowedSources: [17.0.0.0/8, "2620:149::/32"]
              trustedProxies: [10.0.0.1]
              pathSecretFile: \(secret)
            metrics: { listen: 127.0.0.1:9464 }
            apple:
              bundleId: com.example.app
              appAppleId: 1234567890
              apps: [{bundleId: com.example.other, appAppleId: 7}]
              environments: [Production, Sandbox]
              sandboxAccess: listed
              sandboxUsers: [reviewer]
              rootCertificateFiles: [\(root)]
              receiptRootCertificateFiles: [\(root)]
              blockedSerials: ["00:C0:FF:EE", c0ffee, "1234"]
              api: { issuerId: i, keyId: k, privateKeyFile: \(key), baseURL: "http://localhost:9" }
            reconcile:
              failuresEverySeconds: 1
              askBeforeEndSeconds: 0
              askAfterSilenceSeconds: 2
              sweepEverySeconds: 3
              requestsPerSecond: 4
            accounts: { tokenNamespace: n, userIdIsAppAccountToken: true, transferPolicy: refuse }
            catalog: /tmp/catalog.yaml
            log: { level: debug, format: text }
            """
        )
        #expect(settings.storage.directory == "/data")
        #expect(settings.rpc.socketMode == 0o666)
        #expect(
            settings.rpc.access.map(\.peer) == [.user(1_000), .group(2_000)]
                && settings.rpc.access.map(\.role) == [.reader, .app]
        )
        let webhook = try #require(settings.webhook)
        #expect(webhook.listen == ListenAddress(host: "::", port: 8_443))
        #expect(webhook.allowedSources.map(\.description).first == "17.0.0.0/8")
        #expect(webhook.pathSecret?.revealed == Array("s3cret-path".utf8))
        guard case .tls(let certificatePath, let privateKey) = webhook.transport else {
            Issue.record("TLS was configured")
            return
        }
        #expect(certificatePath == root)
        #expect(privateKey.path == key)
        let apple = try #require(settings.apple)
        #expect(apple.environments == [.production, .sandbox])
        #expect(apple.appAppleId == 1_234_567_890)
        #expect(apple.apps == [.init(bundleId: "com.example.other", appAppleId: 7)])
        #expect(apple.sandboxAccess == .listed)
        #expect(Set(apple.blockedSerials.map(\.bytes)) == [[0xc0, 0xff, 0xee], [0x12, 0x34]])
        #expect(apple.api?.baseURL == "http://localhost:9")
        #expect(try apple.api?.privateKey.read().revealed == Array("key".utf8))
        #expect(settings.reconcile?.sweepEverySeconds == 3)
        #expect(settings.accounts.transferPolicy == .refuse)
        #expect(settings.catalog.isNamed)
        #expect(settings.log.level == .debug)
        #expect(settings.log.format == .text)
    }

    @Test func `JSON is YAML`() throws {
        #expect(try settings(#"{"rpc": {"threads": 3, "socketMode": "0600"}}"#).rpc.threads == 3)
    }

    @Test func `the documented example is a configuration`() throws {
        let example = try repositoryFile("contrib/etc/entitld.yaml")
        // As shipped, its lines about files that only an installed system has are comments.
        let settings = try settings(example)
        #expect(settings.rpc.maxFrameBytes == 1_048_576)
    }

    @Test(arguments: [
        ("rpc: { maxFrameByte: 1 }", "rpc.maxFrameByte"),
        ("storage: { dir: /x }", "storage.dir"),
        ("nonsense: 1", "nonsense"),
        ("webhook: { tls: { cert: x } }", "webhook.tls.cert"),
        ("rpc: { threads: two }", "rpc.threads"),
        ("rpc: { threads: \"2\" }", "rpc.threads"),
        ("rpc: { threads: 2.5 }", "rpc.threads"),
        ("rpc: { threads: 0 }", "rpc.threads"),
        ("rpc: { threads: 65 }", "rpc.threads"),
        ("rpc: { maxFrameBytes: 1 }", "rpc.maxFrameBytes"),
        ("rpc: { maxFrameBytes: 99999999999999999999 }", "rpc.maxFrameBytes"),
        ("rpc: { socketMode: 0660 }", "rpc.socketMode"),
        ("rpc: { socketMode: \"0980\" }", "rpc.socketMode"),
        ("rpc: { socketMode: \"4755\" }", "rpc.socketMode"),
        ("rpc: { socket: 7 }", "rpc.socket"),
        ("rpc: { socket: \"\" }", "rpc.socket"),
        ("rpc: { socket: /a, adminSocket: /a }", "rpc.adminSocket"),
        ("rpc: [1]", "rpc"),
        ("rpc: { access: {uid: 1} }", "rpc.access"),
        ("rpc: { access: [{uid: 1, role: root}] }", "rpc.access[0].role"),
        ("rpc: { access: [{uid: -1, role: app}] }", "rpc.access[0].uid"),
        ("rpc: { access: [{role: app}] }", "rpc.access[0]"),
        ("rpc: { access: [{uid: 1, gid: 1, role: app}] }", "rpc.access[0]"),
        ("rpc: { access: [{uid: 1}] }", "rpc.access[0]"),
        ("rpc: { access: [{user: 1, role: app}] }", "rpc.access[0].user"),
        ("webhook: { listen: 8443 }", "webhook.listen"),
        ("webhook: { listen: \"x:y\", plaintext: true }", "webhook.listen"),
        ("webhook: { listen: \"1.2.3.4:65536\", plaintext: true }", "webhook.listen"),
        ("webhook: { listen: \"1.2.3.4:1\" }", "webhook.tls"),
        ("webhook: { listen: \"1.2.3.4:1\", plaintext: yes }", "webhook.plaintext"),
        (
            "webhook: { listen: \"1.2.3.4:1\", plaintext: true, tls: { certificateFile: x } }",
            "webhook.plaintext"
        ),
        ("webhook: { listen: \"1.2.3.4:1\", tls: {} }", "webhook.tls.certificateFile"),
        (
            "webhook: { listen: \"1.2.3.4:1\", tls: { certificateFile: /nowhere } }",
            "webhook.tls.certificateFile"
        ),
        ("webhook: { allowedSources: 17.0.0.0/8 }", "webhook.allowedSources"),
        ("webhook: { allowedSources: [17.0.0.0/33] }", "webhook.allowedSources[0]"),
        ("webhook: { allowedSources: [17.0.0.1/8] }", "webhook.allowedSources[0]"),
        ("webhook: { trustedProxies: [10.0.0.0/8, proxy] }", "webhook.trustedProxies[1]"),
        ("apple: { environments: [Sandbox] }", "apple.bundleId"),
        ("apple: { bundleId: a }", "apple.appAppleId"),
        ("apple: { bundleId: a, appAppleId: 1, environments: [Xcode] }", "apple.environments[0]"),
        ("apple: { bundleId: a, appAppleId: 1, environments: [] }", "apple.environments"),
        ("apple: { bundleId: a, appAppleId: one }", "apple.appAppleId"),
        ("apple: { bundleId: a, appAppleId: 1, apps: b }", "apple.apps"),
        ("apple: { bundleId: a, appAppleId: 1, apps: [b] }", "apple.apps[0]"),
        (
            "apple: { bundleId: a, appAppleId: 1, apps: [{appAppleId: 2}] }",
            "apple.apps[0].bundleId"
        ),
        (
            "apple: { bundleId: a, appAppleId: 1, apps: [{bundleId: b}] }",
            "apple.apps[0].appAppleId"
        ),
        (
            "apple: { bundleId: a, appAppleId: 1, apps: [{bundleId: b, appAppleId: 0}] }",
            "apple.apps[0].appAppleId"
        ),
        (
            "apple: { bundleId: a, appAppleId: 1, apps: [{bundleId: a, appAppleId: 2}] }",
            "apple.apps[0].bundleId"
        ),
        (
            "apple: { bundleId: a, appAppleId: 1, apps: [{bundleId: b, id: 2}] }",
            "apple.apps[0].id"
        ),
        ("apple: { bundleId: a, appAppleId: 1, sandboxAccess: some }", "apple.sandboxAccess"),
        (
            "apple: { bundleId: a, appAppleId: 1, rootCertificateFiles: [/nowhere] }",
            "apple.rootCertificateFiles"
        ),
        (
            "apple: { bundleId: a, appAppleId: 1, blockedSerials: [\"12\", xyz] }",
            "apple.blockedSerials[1]"
        ),
        ("apple: { bundleId: a, appAppleId: 1, blockedSerials: aa }", "apple.blockedSerials"),
        // Digits alone are a number to YAML; one with leading zeros would lose them.
        ("apple: { bundleId: a, appAppleId: 1, blockedSerials: [12] }", "apple.blockedSerials[0]"),
        ("apple: { bundleId: a, appAppleId: 1, api: { keyId: k } }", "apple.api.issuerId"),
        (
            "apple: { bundleId: a, appAppleId: 1, api: { issuerId: i, keyId: k } }",
            "apple.api.privateKeyFile"
        ),
        ("reconcile: { sweepEverySeconds: 1 }", "reconcile"),
        ("accounts: { transferPolicy: steal }", "accounts.transferPolicy"),
        ("log: { level: loud }", "log.level"),
        ("log: info", "log"),
        ("rpc: { threads: 2\n", "test.yaml"),
        ("- a list", "The configuration"),
        ("a: 1\n---\nb: 2\n", "test.yaml"),
    ])
    func `a mistake is refused with one sentence that names the key`(
        yaml: String,
        key: String
    ) throws {
        let failure = try #require(throws: ConfigurationFailure.self) { try settings(yaml) }
        #expect(failure.key == key)
        #expect(failure.sentence.hasPrefix(key))
        #expect(failure.sentence.hasSuffix("."))
        #expect(!failure.sentence.contains("\n"))
    }

    @Test(arguments: [
        ("rpc:\n  threads: 2\n  threads: 3\n", "rpc.threads"),
        ("rpc: {}\nlog: {}\nrpc: {}\n", "rpc"),
        (
            "webhook: { tls: { certificateFile: a, certificateFile: b } }",
            "webhook.tls.certificateFile"
        ),
        ("{\"rpc\": {\"threads\": 1, \"threads\": 2}}", "rpc.threads"),
        (
            "rpc: { access: [{uid: 1, role: app}, {uid: 2, role: app, uid: 3}] }",
            "rpc.access[1].uid"
        ),
    ])
    func `a duplicate key is named with its path`(yaml: String, key: String) throws {
        let failure = try #require(throws: ConfigurationFailure.self) { try settings(yaml) }
        #expect(failure.key == key)
        #expect(failure.sentence.contains("twice"))
    }

    /// Eleven lists of nine aliases each would be 31 billion elements.
    @Test func `an alias is refused before it is followed`() throws {
        var bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
        for level in 1...11 {
            let aliases = Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", ")
            bomb += "a\(level): &a\(level) [\(aliases)]\n"
        }
        let rows = [
            (bomb, "a1[0]"), ("a: &a 1\nb: *a\n", "b"), ("a: &a {}\nb: { <<: *a }\n", "b.<<"),
            ("a: &a x\n*a : 1\n", "x.yaml"), ("a: &a [x]\n? *a\n: 1\n", "x.yaml"),
            ("a: *nobody\n", "a"), (bomb + "? {*a11: *a11}\n: 1\n", "a1[0]"),
        ]
        for (yaml, key) in rows {
            let failure = try #require(throws: ConfigurationFailure.self) {
                try Settings.load(yaml: Array(yaml.utf8), path: "x.yaml", environment: [:])
            }
            #expect(failure.sentence == "\(key) is an alias, which is not understood.")
        }
    }

    @Test func `a star that is no alias is a star`() throws {
        let plans = """
            # *This* is no alias.
            plans:
              "*bold*": { products: ["*", 'a *b', x*y, "*\u{301}\u{F0000}"] } # *nor this
              other: { products: [c *d] }

            """
        let catalog = try CatalogSettings.load(yaml: Array(plans.utf8), path: "x.yaml")
        #expect(catalog.plans.map(\.name).contains("*bold*"))
        let listed = catalog.plans.first { $0.name == "*bold*" }?.products
        #expect(listed == .listed(["*", "a *b", "x*y", "*\u{301}\u{F0000}"]))
    }

    @Test func `what is not UTF-8 or too long or too deep is refused`() throws {
        #expect(throws: ConfigurationFailure.self) {
            try Settings.load(yaml: [0x61, 0x3A, 0x20, 0xFF], path: "x", environment: [:])
        }
        let nested = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
        #expect(throws: ConfigurationFailure.self) { try settings("rpc: \(nested)") }
        let scratch = try Scratch()
        let path = try scratch.file("long.yaml", String(repeating: "#", count: 1 << 20) + "\n")
        #expect(throws: ConfigurationFailure.self) {
            try Settings.load(path: path, isDefaultPath: false, environment: [:])
        }
    }

    @Test func `a file that is not there is a failure, at the default path too`() throws {
        let scratch = try Scratch()
        for isDefaultPath in [true, false] {
            let failure = try #require(throws: ConfigurationFailure.self) {
                try Settings.load(
                    path: "\(scratch.path)/none.yaml",
                    isDefaultPath: isDefaultPath,
                    environment: [:]
                )
            }
            #expect(failure.sentence.contains("no such file"))
        }
        #expect(throws: ConfigurationFailure.self) {
            try Settings.load(path: scratch.path, isDefaultPath: false, environment: [:])
        }
    }

    @Test func `a socket path has at most 107 bytes`() {
        let path = "/" + String(repeating: "s", count: 106)
        #expect(refusedKey("rpc: { socket: \(path) }") == nil)
        #expect(refusedKey("rpc: { socket: \(path)s }") == "rpc.socket")
    }

    @Test(arguments: [
        ("https://example.com", true), ("https://example.com:8443/base", true),
        ("http://127.0.0.1:8080", true), ("http://[::1]:8080/x", true), ("http://localhost", true),
        ("http://127.9.9.9", true),
        ("http://example.com", false), ("http://10.0.0.1:80", false), ("ftp://localhost", false),
        ("http://localhost@example.com", false), ("https://", false), ("http://[::1", false),
        ("http://localhost.example.com", false), ("https://a b", false), ("localhost:80", false),
        ("http://127.0.0.1.example.com", false), ("https://example.com?x=1", false),
    ])
    func `http goes to loopback alone`(url: String, isFine: Bool) throws {
        let scratch = try Scratch()
        let key = try scratch.file("key.p8", "key")
        let api = "{ issuerId: i, keyId: k, privateKeyFile: \(key), baseURL: \"\(url)\" }"
        let yaml = "apple: { bundleId: a, appAppleId: 1, api: \(api) }"
        #expect(refusedKey(yaml) == (isFine ? nil : "apple.api.baseURL"))
    }

    @Test func `appAppleId is needed for Production alone`() throws {
        #expect(refusedKey("apple: { bundleId: a, environments: [Sandbox] }") == nil)
        #expect(
            refusedKey("apple: { bundleId: a, environments: [Sandbox, Production] }")
                == "apple.appAppleId"
        )
    }

    @Test func `answers are not shared where a user has several spellings`() throws {
        #expect(try !settings("").rpc.sharedAnswers)
        #expect(try settings("rpc: { sharedAnswers: true }").rpc.sharedAnswers)
        let both = "rpc: { sharedAnswers: true }\naccounts: { userIdIsAppAccountToken: true }"
        #expect(refusedKey(both) == "rpc.sharedAnswers")
    }
}
