import EntitlementsClient
import Glibc
import JSON
import Testing

/// Who may ask what (docs/configuration.md, "Who may ask what").
@Suite struct RoleTests {
    private static let grant: JSONObject = [
        "userId": "alice", "plan": "paid", "idempotencyKey": "k",
    ]

    @Test func `the app socket never gives more than app, not even to root`() throws {
        let daemon = try TestDaemon.started()
        let adminCalls: [(String, JSONObject)] = [
            ("grantEntitlement", Self.grant), ("revokeGrant", ["userId": "alice", "grant": "g1"]),
            (
                "movePurchase",
                [
                    "store": "app_store", "originalTransactionId": "1", "toUserId": "alice",
                    "reason": "asked",
                ]
            ),
            ("sendConsumption", ["transactionId": "1"]), ("extendRenewal", ["transactionId": "1"]),
            ("dump", [:]), ("get", ["table": "accounts", "key": "alice"]), ("stats", [:]),
        ]
        for (method, parameters) in adminCalls {
            let error = try daemon.refusal(of: method, parameters)
            #expect(error?.code == -32001, "\(method)")
            #expect(error?.name == "permission_denied", "\(method)")
            #expect(error?.retryable == false, "\(method)")
        }
        #expect(try daemon.refusal(of: "registerAccount", ["userId": "alice"]) == nil)
        #expect(try daemon.refusal(of: "grantEntitlement", Self.grant, admin: true) == nil)
    }

    @Test func `a rule of the configuration lowers the role on every socket`() throws {
        var setup = TestDaemon.Setup()
        setup.access = "[{uid: \(getuid()), role: reader}]"
        let daemon = try TestDaemon.started(setup)
        for admin in [false, true] {
            let write = try daemon.refusal(
                of: "registerAccount",
                ["userId": "alice"],
                admin: admin
            )
            #expect(write?.code == -32001)
            #expect(try daemon.refusal(of: "dump", admin: admin)?.code == -32001)
            #expect(try daemon.refusal(of: "canRender", ["userId": "alice"], admin: admin) == nil)
            #expect(try daemon.refusal(of: "ping", admin: admin) == nil)
        }
    }

    @Test func `app on the admin socket is not admin`() throws {
        var setup = TestDaemon.Setup()
        setup.access = "[{gid: \(getgid()), role: app}]"
        let daemon = try TestDaemon.started(setup)
        let write = try daemon.refusal(of: "registerAccount", ["userId": "alice"], admin: true)
        #expect(write == nil)
        #expect(try daemon.refusal(of: "dump", admin: true)?.code == -32001)
    }

    @Test func `support gives and takes back, and sees no rows`() throws {
        var setup = TestDaemon.Setup()
        setup.access = "[{uid: \(getuid()), role: support}]"
        let daemon = try TestDaemon.started(setup)
        #expect(try daemon.refusal(of: "grantEntitlement", Self.grant, admin: true) == nil)
        #expect(try daemon.refusal(of: "stats", admin: true) == nil)
        #expect(try daemon.refusal(of: "grantEntitlement", Self.grant)?.code == -32001, "ceiling")
        let adminCalls: [(String, JSONObject)] = [
            ("dump", [:]), ("get", ["table": "accounts", "key": "alice"]),
            ("eraseUser", ["userId": "alice"]), ("exportUser", ["userId": "alice"]),
            ("backup", ["path": "/nowhere"]), ("setLogLevel", ["level": "info"]),
            ("testNotification", [:]), ("load", ["entries": []]),
        ]
        for (method, parameters) in adminCalls {
            let refusal = try daemon.refusal(of: method, parameters, admin: true)
            #expect(refusal?.code == -32001, "\(method)")
        }
    }

    @Test func `whom no rule names gets nothing`() throws {
        var setup = TestDaemon.Setup()
        setup.access = "[{uid: 54321, role: admin}, {gid: 54321, role: admin}]"
        let daemon = try TestDaemon.started(setup)
        let error = try daemon.refusal(of: "registerAccount", ["userId": "alice"])
        #expect(error != nil)
        #expect(try daemon.refusal(of: "dump", admin: true) != nil)
    }
}
