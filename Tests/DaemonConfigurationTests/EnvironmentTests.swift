import DaemonConfiguration
import TestSupport
import Testing

struct EnvironmentTests {
    @Test(arguments: [
        ("ENTITLD_STORAGE_DIRECTORY", "/e"), ("ENTITLD_RPC_SOCKET", "/e.sock"),
        ("ENTITLD_CATALOG", "/c.yaml"), ("ENTITLD_ACCOUNTS_TOKEN_NAMESPACE", "ns"),
    ])
    func `a text is overridden`(name: String, value: String) throws {
        let settings = try settings("storage: { directory: /f }", [name: value])
        let all = [
            settings.storage.directory, settings.rpc.socket, settings.catalog.path,
            settings.accounts.tokenNamespace,
        ]
        #expect(all.contains(value))
    }

    @Test func `the environment stands before the file`() throws {
        let settings = try settings(
            "rpc: { threads: 4, maxFrameBytes: 2048 }\nlog: { level: error }",
            ["ENTITLD_RPC_THREADS": "8", "ENTITLD_LOG_LEVEL": "trace"]
        )
        #expect(settings.rpc.threads == 8)
        #expect(settings.rpc.maxFrameBytes == 2_048)
        #expect(settings.log.level == .trace)
    }

    @Test func `numbers, switches and lists are read`() throws {
        let settings = try settings(
            "",
            [
                "ENTITLD_RPC_MAX_FRAME_BYTES": "4096",
                "ENTITLD_ACCOUNTS_USER_ID_IS_APP_ACCOUNT_TOKEN": "true",
                "ENTITLD_APPLE_BUNDLE_ID": "com.example",
                "ENTITLD_APPLE_APP_APPLE_ID": "12",
                "ENTITLD_APPLE_ENVIRONMENTS": "Production, Sandbox",
                "ENTITLD_APPLE_SANDBOX_USERS": "a,b",
                "ENTITLD_WEBHOOK_LISTEN": "127.0.0.1:0",
                "ENTITLD_WEBHOOK_PLAINTEXT": "true",
                "ENTITLD_WEBHOOK_ALLOWED_SOURCES": "17.0.0.0/8,127.0.0.1",
            ]
        )
        #expect(settings.rpc.maxFrameBytes == 4_096)
        #expect(settings.accounts.userIdIsAppAccountToken)
        #expect(settings.apple?.environments == [.production, .sandbox])
        #expect(settings.apple?.sandboxUsers == ["a", "b"])
        #expect(settings.webhook?.transport == .plaintext)
        #expect(settings.webhook?.allowedSources.count == 2)
    }

    @Test func `GiB and URL are written as people write them`() throws {
        #expect(try settings("", ["ENTITLD_STORAGE_MAP_SIZE_GIB": "3"]).storage.mapSizeGiB == 3)
        #expect(try settings("", ["ENTITLD_STORAGE_MAP_SIZE_GI_B": "3"]).storage.mapSizeGiB == 3)
        let scratch = try Scratch()
        let environment = [
            "ENTITLD_APPLE_BUNDLE_ID": "a", "ENTITLD_APPLE_APP_APPLE_ID": "1",
            "ENTITLD_APPLE_API_ISSUER_ID": "i", "ENTITLD_APPLE_API_KEY_ID": "123",
            "ENTITLD_APPLE_API_PRIVATE_KEY_FILE": try scratch.file("key.p8", "key"),
            "ENTITLD_APPLE_API_BASE_URL": "http://127.0.0.1:1",
        ]
        #expect(try settings("", environment).apple?.api?.baseURL == "http://127.0.0.1:1")
    }

    @Test func `a wrong value in the environment names the key`() {
        #expect(refusedKey("", ["ENTITLD_RPC_THREADS": "many"]) == "rpc.threads")
        #expect(refusedKey("", ["ENTITLD_LOG_FORMAT": "xml"]) == "log.format")
        #expect(
            refusedKey("", ["ENTITLD_WEBHOOK_TRUSTED_PROXIES": "1.2.3.4,x"])
                == "webhook.trustedProxies[1]"
        )
    }

    @Test func `unknown variables and those of the client are ignored`() throws {
        let environment = [
            "ENTITLD_NONSENSE": "1", "ENTITLD_SOCKET": "/x", "ENTITLD_ADMIN_SOCKET": "/y",
            "ENTITLD_RPC_ACCESS": "[]",
        ]
        #expect(try settings("", environment) == settings(""))
    }

    @Test func `an empty variable takes a key away`() throws {
        let yaml = "metrics: { listen: \"127.0.0.1:1\" }\napple: { bundleId: a, appAppleId: 1 }"
        #expect(try settings(yaml, ["ENTITLD_METRICS_LISTEN": ""]).metrics.listen == nil)
        #expect(refusedKey(yaml, ["ENTITLD_APPLE_APP_APPLE_ID": ""]) == "apple.appAppleId")
    }

    @Test func `an empty variable of a list takes it away, too, and opens no section`() throws {
        let lists = [
            "ENTITLD_STRIPE_ALLOWED_SOURCES", "ENTITLD_GOOGLE_ALLOWED_SOURCES",
            "ENTITLD_STRIPE_WEBHOOK_SECRET_FILES", "ENTITLD_APPLE_SANDBOX_USERS",
        ]
        for name in lists { #expect(try settings("", [name: ""]) == settings(""), "\(name)") }
        let yaml = "apple: { bundleId: a, appAppleId: 1, environments: [Sandbox] }"
        let apple = try settings(yaml, ["ENTITLD_APPLE_ENVIRONMENTS": " , "]).apple
        #expect(apple?.environments == [.production], "the default")
    }
}
