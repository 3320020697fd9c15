import DaemonConfiguration
import TestSupport
import Testing

/// The section `google`.
struct GoogleTests {
    @Test func `every key is read, and what may be absent has its default`() throws {
        let scratch = try Scratch()
        let file = try scratch.file("account.json", "{}")
        let google = try #require(
            try settings(
                """
                google:
                  packageName: com.example.app
                  push:
                    audience: https://example.com/webhooks/google
                    serviceAccountEmail: push@example.iam.gserviceaccount.com
                    subscription: projects/p/subscriptions/s
                    keysURL: http://127.0.0.1:8090/oauth2/v3/certs
                  api: { serviceAccountFile: \(file), baseURL: "http://localhost:9" }
                  testAccess: listed
                  testUsers: [anna]
                  acknowledge: false
                  allowedSources: [10.0.0.0/8]
                """
            )
            .google
        )
        #expect(google.packageName == "com.example.app")
        #expect(google.push?.audience == "https://example.com/webhooks/google")
        #expect(google.push?.serviceAccountEmail == "push@example.iam.gserviceaccount.com")
        #expect(google.push?.subscription == "projects/p/subscriptions/s")
        #expect(google.push?.keysURL == "http://127.0.0.1:8090/oauth2/v3/certs")
        #expect(google.api.baseURL == "http://localhost:9")
        #expect(google.testAccess == .listed && google.testUsers == ["anna"])
        #expect(!google.acknowledge && google.allowedSources?.count == 1)
        let plain = try settings(
            "google: { packageName: a, api: { serviceAccountFile: \(file) } }"
        )
        #expect(plain.google?.push == nil && plain.google?.allowedSources == nil)
        #expect(plain.google?.acknowledge == true && plain.google?.testAccess == .all)
        #expect(plain.reconcile != nil)
        #expect(try settings("").google == nil)
    }

    @Test func `a key that is missing or wrong is named`() throws {
        let scratch = try Scratch()
        let file = try scratch.file("account.json", "{}")
        let open = try scratch.file("open.json", "{}", mode: 0o644)
        let api = "api: { serviceAccountFile: \(file) }"
        let cases = [
            ("google: { \(api) }", "google.packageName"),
            ("google: { packageName: a }", "google.api.serviceAccountFile"),
            (
                "google: { packageName: a, api: { serviceAccountFile: \(open) } }",
                "google.api.serviceAccountFile"
            ),
            (
                "google: { packageName: a, \(api), push: { audience: b } }",
                "google.push.serviceAccountEmail"
            ),
            (
                "google: { packageName: a, \(api), push: { serviceAccountEmail: b } }",
                "google.push.audience"
            ),
            ("google: { packageName: a, \(api), testAccess: some }", "google.testAccess"),
            (
                "google: { packageName: a, \(api), allowedSources: [x] }",
                "google.allowedSources[0]"
            ),
            (
                "google: { packageName: a, api: { serviceAccountFile: \(file),"
                    + " baseURL: \"http://example.com\" } }",
                "google.api.baseURL"
            ),
            (
                "google: { packageName: a, \(api), push: { audience: b, serviceAccountEmail: c,"
                    + " keysURL: \"ftp://example.com\" } }",
                "google.push.keysURL"
            ),
        ]
        for (text, key) in cases { #expect(refusedKey(text) == key, "\(text)") }
    }
}
