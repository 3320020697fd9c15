import DaemonConfiguration
import TestSupport
import Testing

/// The list `outbox`.
struct OutboxSettingsTests {
    @Test func `every key is read, and what may be absent has its default`() throws {
        let scratch = try Scratch()
        let secret = try scratch.file("secret", "whsec_")
        let roots = try scratch.file("ca.pem", "")
        let read = try settings(
            """
            outbox:
              - name: crm-2
                url: https://crm.example.com/hooks?tenant=7
                secretFile: \(secret)
                settleSeconds: 600
                caFile: \(roots)
              - { name: erp, url: "http://127.0.0.1:9/x", secretFile: \(secret) }
            """
        )
        #expect(read.outboxes.map(\.name) == ["crm-2", "erp"])
        #expect(read.outboxes[0].url == "https://crm.example.com/hooks?tenant=7")
        #expect(read.outboxes.map(\.settleSeconds) == [600, 0])
        #expect(read.outboxes.map(\.caFile) == [roots, nil])
        #expect(read.outboxes[0].secretFile.path == secret)
        #expect(try settings("").outboxes.isEmpty)
    }

    @Test func `a key that is missing or wrong is named`() throws {
        let scratch = try Scratch()
        let secret = try scratch.file("secret", "whsec_")
        let open = try scratch.file("open", "whsec_", mode: 0o644)
        let whole = "name: a, url: \"https://b\", secretFile: \(secret)"
        let cases = [
            ("a", "outbox"), ("[a]", "outbox[0]"),
            ("[{url: \"https://b\", secretFile: \(secret)}]", "outbox[0].name"),
            ("[{name: a, secretFile: \(secret)}]", "outbox[0].url"),
            ("[{name: a, url: \"https://b\"}]", "outbox[0].secretFile"),
            ("[{name: A, url: \"https://b\", secretFile: \(secret)}]", "outbox[0].name"),
            ("[{name: ../a, url: \"https://b\", secretFile: \(secret)}]", "outbox[0].name"),
            ("[{name: a, url: \"http://b\", secretFile: \(secret)}]", "outbox[0].url"),
            ("[{name: a, url: \"ftp://b\", secretFile: \(secret)}]", "outbox[0].url"),
            ("[{name: a, url: \"https://u@b\", secretFile: \(secret)}]", "outbox[0].url"),
            ("[{name: a, url: \"https://b\", secretFile: \(open)}]", "outbox[0].secretFile"),
            ("[{name: a, url: \"https://b\", secretFile: /none}]", "outbox[0].secretFile"),
            ("[{\(whole), caFile: /none}]", "outbox[0].caFile"),
            ("[{\(whole), settleSeconds: -1}]", "outbox[0].settleSeconds"),
            ("[{\(whole), settleSeconds: 604801}]", "outbox[0].settleSeconds"),
            ("[{\(whole), retries: 3}]", "outbox[0].retries"),
            ("[{\(whole)}, {\(whole)}]", "outbox[1].name"),
        ]
        for (yaml, key) in cases {
            #expect {
                _ = try settings("outbox: \(yaml)")
            } throws: { error in
                (error as? ConfigurationFailure)?.key == key
            }
        }
        let many = (0...16).map { "{name: a\($0), url: \"https://b\", secretFile: \(secret)}" }
        #expect(throws: ConfigurationFailure.self) {
            try settings("outbox: [\(many.joined(separator: ", "))]")
        }
    }
}
