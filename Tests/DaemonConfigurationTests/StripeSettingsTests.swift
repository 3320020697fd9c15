import DaemonConfiguration
import TestSupport
import Testing

/// The section `stripe`.
struct StripeSettingsTests {
    @Test func `every key is read`() throws {
        let scratch = try Scratch()
        let one = try scratch.file("one", "whsec_1")
        let two = try scratch.file("two", "whsec_2")
        let test = try scratch.file("test", "whsec_3")
        let key = try scratch.file("key", "rk_live_1")
        let testKey = try scratch.file("testKey", "rk_test_1")
        let settings = try settings(
            """
            stripe:
              webhookSecretFiles: [\(one), \(two)]
              testWebhookSecretFiles: [\(test)]
              api: { keyFile: \(key), testKeyFile: \(testKey), baseURL: "http://127.0.0.1:9" }
              userIdMetadata: uid
              pastDueGraceHours: 24
              disputes: created
              testAccess: listed
              testUsers: [tester]
              allowedSources: [3.18.12.63/32]
            reconcile: { sweepEverySeconds: 7 }
            """
        )
        let stripe = try #require(settings.stripe)
        #expect(stripe.webhookSecrets.map(\.path) == [one, two])
        #expect(stripe.testWebhookSecrets.map(\.path) == [test])
        #expect(try stripe.api?.key?.read().revealed == Array("rk_live_1".utf8))
        #expect(try stripe.api?.testKey?.read().revealed == Array("rk_test_1".utf8))
        #expect(stripe.api?.baseURL == "http://127.0.0.1:9")
        #expect(stripe.userIdMetadata == "uid")
        #expect(stripe.pastDueGraceHours == 24)
        #expect(stripe.disputes == .created)
        #expect(stripe.testAccess == .listed)
        #expect(stripe.testUsers == ["tester"])
        #expect(stripe.allowedSources?.map(\.description) == ["3.18.12.63/32"])
        #expect(stripe.hasTestMode)
        #expect(settings.reconcile?.sweepEverySeconds == 7)
    }

    @Test func `defaults`() throws {
        let scratch = try Scratch()
        let secret = try scratch.file("secret", "whsec_1")
        let settings = try settings("stripe: { webhookSecretFiles: [\(secret)] }")
        let stripe = try #require(settings.stripe)
        #expect(stripe.api == nil)
        #expect(stripe.userIdMetadata == "user_id")
        #expect(stripe.pastDueGraceHours == 168)
        #expect(stripe.disputes == .lost)
        #expect(stripe.testAccess == .all)
        #expect(stripe.allowedSources == nil)
        #expect(!stripe.hasTestMode)
        #expect(settings.reconcile == nil)
    }

    @Test func `a list of secrets can name credentials`() throws {
        let scratch = try Scratch()
        try scratch.file("stripe-live", "whsec_1", mode: 0o440)
        let stripe = try settings(
            "stripe: { webhookSecretFiles: [stripe-live] }",
            ["CREDENTIALS_DIRECTORY": scratch.path]
        )
        .stripe
        #expect(try stripe?.webhookSecrets.first?.read().revealed == Array("whsec_1".utf8))
    }

    @Test func `mistakes name their key`() throws {
        let scratch = try Scratch()
        let secret = try scratch.file("secret", "whsec_1")
        let open = try scratch.file("open", "whsec_1", mode: 0o644)
        let good = "webhookSecretFiles: [\(secret)]"
        for (yaml, key) in [
            ("disputes: lost", "stripe.webhookSecretFiles"),
            ("webhookSecretFiles: []", "stripe.webhookSecretFiles"),
            ("webhookSecretFiles: \(secret)", "stripe.webhookSecretFiles"),
            ("webhookSecretFiles: [\(secret), \(open)]", "stripe.webhookSecretFiles[1]"),
            ("testWebhookSecretFiles: [/nowhere]", "stripe.testWebhookSecretFiles[0]"),
            ("\(good), webhookSecret: a", "stripe.webhookSecret"),
            ("\(good), userIdMetadata: \"\"", "stripe.userIdMetadata"),
            (
                "\(good), userIdMetadata: \(String(repeating: "x", count: 41))",
                "stripe.userIdMetadata"
            ),
            ("\(good), pastDueGraceHours: -1", "stripe.pastDueGraceHours"),
            ("\(good), disputes: opened", "stripe.disputes"),
            ("\(good), testAccess: some", "stripe.testAccess"),
            ("\(good), allowedSources: [1.2.3.4/33]", "stripe.allowedSources[0]"),
            ("\(good), api: { keyFile: \(open) }", "stripe.api.keyFile"),
            ("\(good), api: { baseURL: \"https://a\" }", "stripe.api.keyFile"),
            (
                "\(good), api: { keyFile: \(secret), baseURL: \"http://example.com\" }",
                "stripe.api.baseURL"
            ),
        ] {
            #expect(refusedKey("stripe: { \(yaml) }") == key, "\(yaml)")
        }
        #expect(
            refusedKey("stripe: { \(good) }\nreconcile: { sweepEverySeconds: 7 }") == "reconcile"
        )
    }
}
