import DaemonConfiguration
import TestSupport
import Testing

struct SecretTests {
    private func yaml(_ key: String) -> String {
        "apple: { bundleId: a, appAppleId: 1, api: { issuerId: i, keyId: k\(key) } }"
    }

    @Test func `a secret never shows itself`() {
        let secret = Secret("canary")
        var dumped = ""
        dump(secret, to: &dumped)
        for text in ["\(secret)", String(reflecting: secret), "\([secret])", dumped] {
            #expect(text.contains("***") && !text.contains("canary"))
        }
    }

    @Test(arguments: [0o640, 0o604, 0o644, 0o660, 0o610, 0o777])
    func `a file that others can read is refused`(mode: Int) throws {
        let scratch = try Scratch()
        let path = try scratch.file("key.p8", "canary", mode: mode)
        let failure = try #require(throws: ConfigurationFailure.self) {
            try settings(yaml(", privateKeyFile: \(path)"))
        }
        #expect(failure.key == "apple.api.privateKeyFile")
        #expect(failure.sentence.contains("others can read"))
        #expect(!failure.sentence.contains("canary"))
    }

    @Test func `the TLS key and the path secret are checked as well`() throws {
        let scratch = try Scratch()
        let open = try scratch.file("open", "x", mode: 0o644)
        let tls = "tls: { certificateFile: \(open), privateKeyFile: \(open) }"
        #expect(
            refusedKey("webhook: { listen: \"1.2.3.4:1\", \(tls) }") == "webhook.tls.privateKeyFile"
        )
        let secret = "plaintext: true, pathSecretFile: \(open)"
        #expect(
            refusedKey("webhook: { listen: \"1.2.3.4:1\", \(secret) }") == "webhook.pathSecretFile"
        )
    }

    @Test(arguments: ["", "\n", "a/b", "a b", "a%20", String(repeating: "x", count: 257)])
    func `a path secret fits into a path`(content: String) throws {
        let scratch = try Scratch()
        let path = try scratch.file("secret", content)
        let yaml = "webhook: { listen: \"1.2.3.4:1\", plaintext: true, pathSecretFile: \(path) }"
        #expect(refusedKey(yaml) == "webhook.pathSecretFile")
    }

    @Test func `a credential is found by its file's name and by its key's name`() throws {
        let scratch = try Scratch()
        try scratch.file("my-key", "by file", mode: 0o400)
        try scratch.file("apple.api.privateKey", "by key", mode: 0o440)
        let environment = ["CREDENTIALS_DIRECTORY": scratch.path]
        let byFile = try settings(yaml(", privateKeyFile: my-key"), environment)
        #expect(try byFile.apple?.api?.privateKey.read().revealed == Array("by file".utf8))
        let byKey = try settings(yaml(""), environment)
        #expect(try byKey.apple?.api?.privateKey.read().revealed == Array("by key".utf8))
        #expect(
            refusedKey(yaml(", privateKeyFile: no-key"), environment) == "apple.api.privateKeyFile"
        )
    }
}
